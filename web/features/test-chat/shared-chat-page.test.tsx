// A shared test chat as seen without an account.
import { render, screen, within } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { SharedChat } from '#shared/messaging/test-chat.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { SharedChatPage } from './shared-chat-page.tsx'

const shared = vi.hoisted(() => ({ value: null as SharedChat | null }))
vi.mock('#web/lib/server/query-client.ts', () => ({
  useFetched: () => ({ value: shared.value, error: null, isLoading: false, reload: () => undefined }),
}))
vi.mock('#web/components/preferences.tsx', () => ({ Preferences: () => null }))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('test-chat', 'conversations')
})

it('shows authors and texts, attachments, and choices', async () => {
  const file = { _id: 'f1', kind: 'voice', name: null }
  const message = { author: 'customer', text: 'Do you deliver?', at: 0, attachments: [], choices: [] }
  shared.value = {
    agentName: 'Robo',
    chats: [
      {
        variant: 'a',
        messages: [
          { ...message, _id: 'm1', attachments: [file, { ...file, _id: 'f2', name: 'list.pdf' }] },
          { ...message, _id: 'm2', author: 'agent', text: 'Where **to**?', choices: ['Astana', 'Almaty'] },
        ],
      },
    ],
    sharedAt: 0,
    expiresAt: 1000,
  } as unknown as SharedChat
  render(<SharedChatPage />)
  expect(screen.getByText('list.pdf')).toBeInTheDocument()
  expect((await screen.findByText('to')).tagName).toBe('STRONG')
  const offered = screen.getByRole('list', { name: 'Offered choices' })
  expect(
    within(offered)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual(['Astana', 'Almaty'])
  expect(within(offered).queryByRole('button')).toBeNull()
})
