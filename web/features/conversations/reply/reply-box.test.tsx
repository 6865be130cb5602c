// Where an operator writes: replies, notes, canned replies, and suggestions of a model. Nothing is sent without the operator.
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { MemoryRouter } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { WritingBox } from './reply-box.tsx'

const answers: Record<string, unknown> = {
  'organizations:members': [{ _id: 'pavel', name: 'Pavel' }],
  'conversations/canned:list': [{ _id: 'r', name: 'Greeting', texts: { ru: '', en: 'Hello, {customer}!' } }],
  'conversations/presence:list': [{ user: { _id: 'pavel', name: 'Pavel' }, state: 'typing', at: 1 }],
  'conversations/helper:suggest': { text: 'We open at nine.', sources: [] },
}
const called = vi.fn()
const toast = vi.hoisted(() => ({ success: vi.fn(), error: vi.fn(), failure: vi.fn() }))
vi.mock('#web/lib/toast.ts', () => ({ toast }))
const posted = vi.hoisted(() => vi.fn(() => new Promise(() => undefined)))
vi.mock('#web/lib/server/post-file.ts', () => ({ postFile: posted }))
fakeConvex(() => {
  const caller = (ref: Parameters<typeof getFunctionName>[0]) => async (args: unknown) => {
    const name = getFunctionName(ref)
    called(name, args)
    return answers[name] ?? null
  }
  return {
    useQuery: (ref: Parameters<typeof getFunctionName>[0]) => answers[getFunctionName(ref)],
    useMutation: caller,
    useAction: caller,
  }
})
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const conversation = {
  _id: 'c',
  channel: 'telegram',
  status: 'active',
  agentName: 'Robo',
  customer: { _id: 'anna', contactId: 'anna', name: 'Anna', username: null },
} as unknown as Conversation
const user = userEvent.setup()
const sent = () => called.mock.calls.filter(([name]) => /reply|notes:add/.test(String(name)))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  called.mockClear()
  localStorage.clear()
  show(conversation)
})

function show(shown: Conversation): void {
  render(
    <MemoryRouter>
      <TooltipProvider>
        <WritingBox conversation={shown} onOpenSource={() => undefined}>
          <p>Log</p>
        </WritingBox>
      </TooltipProvider>
    </MemoryRouter>,
  )
}

const replyBox = () => screen.getByRole('textbox', { name: 'Your reply' })

it('a deleted conversation says what comes before a reply, and takes none', () => {
  cleanup()
  show({ ...conversation, folder: 'deleted' })
  expect(screen.queryByRole('textbox')).toBeNull()
  expect(screen.getByRole('status')).toHaveTextContent('Move it back to the inbox to reply.')
})

it('a canned reply is inserted with the name of the customer, and sent by another Enter', async () => {
  await user.type(replyBox(), '/gree{Enter}')
  expect(replyBox()).toHaveValue('Hello, Anna!')
  expect(sent()).toEqual([])
  await user.type(replyBox(), '{Enter}')
  expect(sent()).toEqual([['conversations:reply', { conversationId: 'c', text: 'Hello, Anna!', attachments: [] }]])
})

it('suggestions that a sign opens are reachable by buttons too, by mouse and by Tab', async () => {
  await user.type(replyBox(), 'Well')
  await user.click(screen.getByRole('button', { name: 'Insert a canned reply (/)' }))
  expect(replyBox()).toHaveFocus()
  expect(screen.getByRole('option', { name: /Greeting/ })).toBeInTheDocument()
  await user.keyboard('gree{Enter}')
  expect(replyBox()).toHaveValue('Well Hello, Anna!')
  await user.click(screen.getByRole('button', { name: 'Note for the team' }))
  const noteBox = screen.getByRole('textbox', { name: 'Note for the team' })
  await user.type(noteBox, 'Ask , please')
  await user.keyboard('{ArrowLeft>8/}')
  await user.tab()
  while (document.activeElement?.getAttribute('aria-label') !== 'Mention a colleague (@)') await user.tab()
  await user.keyboard('{Enter}')
  await user.click(await screen.findByRole('option', { name: 'Pavel' }))
  expect(noteBox).toHaveValue('Ask @Pavel , please')
  expect(sent()).toEqual([])
})

it('a note goes to the team and mentions those it names; the draft of the reply is kept', async () => {
  await user.type(replyBox(), 'Half a reply')
  await user.click(screen.getByRole('button', { name: 'Note for the team' }))
  await user.type(screen.getByRole('textbox', { name: 'Note for the team' }), 'Ask @pa{Enter}please{Enter}')
  expect(sent()).toEqual([
    ['conversations/notes:add', { conversationId: 'c', text: 'Ask @Pavel please', mentions: ['pavel'] }],
  ])
  await user.click(screen.getByRole('button', { name: 'Reply to the customer' }))
  expect(replyBox()).toHaveValue('Half a reply')
})

it('shows above the box that a colleague is typing', () => {
  expect(screen.getByText('Also writing a reply here: Pavel')).toBeInTheDocument()
})

it('a suggestion of the helper is put into the box, unsent, until the operator sends or reverts it', async () => {
  await user.type(replyBox(), 'Mine')
  await user.click(screen.getByRole('button', { name: 'Helper' }))
  await user.click(await screen.findByRole('menuitem', { name: 'Suggest a reply' }))
  await waitFor(() => expect(replyBox()).toHaveValue('We open at nine.'))
  expect(sent()).toEqual([])
  await user.click(screen.getByRole('button', { name: 'Restore my text' }))
  expect(replyBox()).toHaveValue('Mine')
})

it('files other than pictures are refused before the upload when the channel carries only pictures', async () => {
  cleanup()
  show({ ...conversation, channel: 'avito' })
  const give = (name: string, type: string) =>
    user.upload(screen.getByLabelText('Attach files', { selector: 'input' }), new File(['x'], name, { type }))
  await give('prices.pdf', 'application/pdf')
  expect(toast.error).toHaveBeenCalledExactlyOnceWith(
    'Only pictures can be sent through this channel: JPEG, PNG, GIF, BMP or HEIC.',
  )
  expect(posted).not.toHaveBeenCalled()
  await give('photo.png', 'image/png')
  await waitFor(() => expect(posted).toHaveBeenCalledOnce())
  expect(toast.error).toHaveBeenCalledOnce()
})
