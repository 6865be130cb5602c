// Notes that mention the reader: where they link to, when they count as seen, and who can be mentioned.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import type { Mention } from '#shared/messaging/operator-tools.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { NoteBox } from '../reply/note-box.tsx'
import { MentionsMenu, useMentionsSeen } from './mentions-menu.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  mentions: [] as unknown[],
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: (reference: Reference) =>
    getFunctionName(reference) === 'organizations:members'
      ? ['Olga', 'Pavel'].map((name) => ({ _id: name, name }))
      : server.mentions,
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'Olga', organizationRole: 'owner' }),
}))

const conversationId = 'c1' as Id<'conversations'>
const mention: Mention = {
  noteId: 'n1' as Id<'conversationNotes'>,
  conversationId,
  customerName: null,
  author: { _id: 'Pavel' as Id<'users'>, name: 'Pavel', avatar: null, jobTitle: 'Support' },
  text: '@Olga please look',
  at: 0,
}

function Opened({ id }: { id: Id<'conversations'> }) {
  useMentionsSeen(id)
  return null
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  server.mentions = [mention]
  server.call.mockReset().mockResolvedValue(null)
})

it('links to each note, and renders nothing without mentions', async () => {
  const menu = (
    <MemoryRouter>
      <MentionsMenu />
    </MemoryRouter>
  )
  const { rerender } = render(menu)
  await userEvent.click(screen.getByRole('button', { name: 'You were mentioned in 1 note' }))
  const item = screen.getByRole('menuitem', { name: /Pavel: @Olga please look/ })
  expect(item).toHaveAttribute('href', '/conversations/c1#note-n1')
  server.mentions = []
  rerender(
    <MemoryRouter>
      <MentionsMenu />
    </MemoryRouter>,
  )
  expect(screen.queryByRole('button')).toBeNull()
})

it('counts a mention as seen where its conversation is open, and nowhere else', () => {
  render(<Opened id={'c2' as Id<'conversations'>} />)
  expect(server.call).not.toHaveBeenCalled()
  render(<Opened id={conversationId} />)
  expect(server.call).toHaveBeenCalledExactlyOnceWith('conversations/notes:markSeen', { conversationId })
})

it('suggests colleagues after an at sign, and never the author', async () => {
  const conversation = { _id: conversationId } as Conversation
  render(
    <MemoryRouter>
      <NoteBox conversation={conversation} onReply={() => undefined} />
    </MemoryRouter>,
  )
  const box = screen.getByLabelText('Note for the team')
  await userEvent.type(box, 'Ask @')
  expect(screen.getAllByRole('option').map(({ textContent }) => textContent)).toEqual(['Pavel'])
  await userEvent.clear(box)
  await userEvent.type(box, '@Olga and @Pavel')
  await userEvent.click(screen.getByRole('button', { name: 'Add' }))
  const text = '@Olga and @Pavel'
  expect(server.call).toHaveBeenCalledWith('conversations/notes:add', { conversationId, text, mentions: ['Pavel'] })
})
