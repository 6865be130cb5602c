// Merging chosen conversations: asked first, told with a way back; and the line over those that are shown as one.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation } from '#shared/conversations.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { MergeButton } from './merge-button.tsx'
import { ThreadNote } from './thread-note.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
type Told = { action?: { onClick: () => void } }
const server = vi.hoisted(() => ({
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
  told: vi.fn<(message: string, options?: Told) => void>(),
}))
vi.mock('#web/lib/convex.ts', () => ({
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
}))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: server.told } }))

const parts = [
  { _id: 'a', channel: 'telegram', agentName: 'Helper', unreadCount: 0 },
  { _id: 'b', channel: 'whatsapp', agentName: 'Helper', unreadCount: 0 },
]
const [first, second] = parts.map(
  (part) => ({ ...part, customer: { name: 'Anna' }, thread: null }) as unknown as Conversation,
)

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  server.call.mockReset().mockResolvedValue({ threadId: 't', count: 2 })
  server.told.mockReset()
})

it('says what a merge does before it is done, and takes it back from what is told', async () => {
  if (!first || !second) throw new Error('no conversations')
  const onMerged = vi.fn<() => void>()
  render(<MergeButton chosen={[first, second]} onMerged={onMerged} />, { wrapper: TooltipProvider })
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(screen.getByRole('alertdialog', { name: 'Merge 2 conversations?' })).toHaveTextContent(
    'Anna · WhatsApp · Helper',
  )
  expect(server.call).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(server.call.mock.calls).toEqual([['conversations/threads:merge', { conversationIds: ['a', 'b'] }]])
  expect(onMerged).toHaveBeenCalledOnce()
  server.told.mock.calls[0]?.[1]?.action?.onClick()
  expect(server.call).toHaveBeenLastCalledWith('conversations/threads:separate', { threadId: 't' })
})

it('is offered for several conversations only', () => {
  if (!first) throw new Error('no conversation')
  const { container } = render(<MergeButton chosen={[first]} onMerged={() => undefined} />)
  expect(container).toBeEmptyDOMElement()
})

it('names what is shown as one and where an answer goes, and separates after asking', async () => {
  render(<ThreadNote conversation={{ ...first, thread: { _id: 't', parts } } as unknown as Conversation} />)
  expect(screen.getByText(/2 conversations shown as one: Telegram · Helper, WhatsApp · Helper\./)).toBeVisible()
  expect(screen.getByText(/Answers go to: Telegram · Helper\./)).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  expect(screen.getByRole('alertdialog')).toHaveTextContent('Nothing is lost, and nothing is sent.')
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  expect(server.call.mock.calls).toEqual([['conversations/threads:separate', { threadId: 't' }]])
})
