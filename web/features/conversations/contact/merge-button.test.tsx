// Merging selected conversations, or one with others from its own menu: confirmed first, reported with an undo action; and the banner of
// merged conversations.
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { ThreadNote } from '../thread/thread-note.tsx'
import { MergeButton } from './merge-button.tsx'
import { MergeWithDialog } from './merge-with-dialog.tsx'

type Reference = Parameters<typeof getFunctionName>[0]
type ToastOptions = { action?: { onClick: () => void } }
const server = vi.hoisted(() => ({
  call: vi.fn<(name: string, args: unknown) => Promise<unknown>>(),
  success: vi.fn<(message: string, options?: ToastOptions) => void>(),
  refused: vi.fn<(message: string) => void>(),
  contact: vi.fn<() => unknown>(),
}))
fakeConvex(() => ({
  useMutation: (reference: Reference) => (args: unknown) => server.call(getFunctionName(reference), args),
  useQuery: () => server.contact(),
}))
vi.mock('#web/lib/toast.ts', () => ({ toast: { success: server.success, error: server.refused } }))

const parts = [
  { _id: 'a', channel: 'telegram', agentName: 'Helper', unreadCount: 0 },
  { _id: 'b', channel: 'whatsapp', agentName: 'Helper', unreadCount: 0 },
]
const [first, second] = parts.map(
  (part) => ({ ...part, customer: { name: 'Anna' }, thread: null }) as unknown as Conversation,
)

type Ids = Conversation['_id'][]

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  server.call.mockReset().mockResolvedValue({ threadId: 't', count: 2, refused: [] })
  server.success.mockReset()
  server.refused.mockReset()
})

it('explains a merge before it is done, and undoes it from its toast', async () => {
  if (!first || !second) throw new Error('no conversations')
  const onMerged = vi.fn<(updated: number, failures: unknown[]) => void>()
  render(<MergeButton ids={['a', 'b'] as Ids} chosen={[first, second]} onMerged={onMerged} />, {
    wrapper: TooltipProvider,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(screen.getByRole('alertdialog', { name: 'Merge 2 conversations?' })).toHaveTextContent(
    'Anna · WhatsApp · Helper',
  )
  expect(server.call).not.toHaveBeenCalled()
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(server.call.mock.calls).toEqual([['conversations/threads:merge', { conversationIds: ['a', 'b'] }]])
  expect(onMerged).toHaveBeenCalledExactlyOnceWith(2, [])
  server.success.mock.calls[0]?.[1]?.action?.onClick()
  expect(server.call).toHaveBeenLastCalledWith('conversations/threads:separate', { threadId: 't' })
})

/** One conversation for each contact. */
function ofContacts(...contacts: string[]) {
  return contacts.map(
    (contactId, at) =>
      ({ ...first, _id: `c${at}`, customer: { contactId, name: contactId } }) as unknown as Conversation,
  )
}

it.each([
  ['of two contacts', ['Anna', 'Anya'], [['conversations/contacts:merge', { survivorId: 'Anna', otherId: 'Anya' }]]],
  ['of contacts that were merged', ['Anna', 'Anna'], []],
])('merges the contacts too, where the conversations are %s', async (_, contacts, expected) => {
  const chosen = ofContacts(...contacts)
  const ids = chosen.map(({ _id }) => _id)
  render(<MergeButton ids={ids} chosen={chosen} onMerged={() => undefined} />, { wrapper: TooltipProvider })
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  const why = screen.queryByText(/conversations of two contacts: “Anna” and “Anya”/)
  expect(why !== null).toBe(expected.length > 0)
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(server.call.mock.calls).toEqual([...expected, ['conversations/threads:merge', { conversationIds: ids }]])
})

it('is not offered for conversations of more contacts', () => {
  const chosen = ofContacts('Anna', 'Boris', 'Vera')
  const ids = chosen.map(({ _id }) => _id)
  const { container } = render(<MergeButton ids={ids} chosen={chosen} onMerged={() => undefined} />)
  expect(container).toBeEmptyDOMElement()
})

it.each([
  ['that it is taken back', ['a', 'b'], ['Changes undone'], []],
  [
    'that it is not when another user has merged them further',
    [],
    [],
    ['The conversation changed in the meantime, so nothing was done. Check it and try again.'],
  ],
])('reports of a merge %s', async (_, conversationIds, shown, refused) => {
  if (!first || !second) throw new Error('no conversations')
  render(<MergeButton ids={['a', 'b'] as Ids} chosen={[first, second]} onMerged={() => undefined} />, {
    wrapper: TooltipProvider,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  server.call.mockResolvedValue({ conversationIds })
  const [, options] = server.success.mock.calls.pop() ?? []
  await act(async () => options?.action?.onClick())
  expect(server.success.mock.calls).toEqual(shown.map((each) => [each]))
  expect(server.refused.mock.calls).toEqual(refused.map((each) => [each]))
})

it('reports which of them can no longer be merged when a separation is undone', async () => {
  render(<ThreadNote conversation={{ ...first, thread: { _id: 't', count: 2, parts } } as unknown as Conversation} />)
  server.call.mockResolvedValue({ conversationIds: ['a', 'b', 'c'] })
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  const refused = [{ conversationId: 'c', error: 'conversation_deleted' }]
  server.call.mockResolvedValue({ threadId: 'u', count: 2, refused })
  await act(async () => server.success.mock.calls[0]?.[1]?.action?.onClick())
  expect(server.success).toHaveBeenLastCalledWith('Changes undone')
  expect(server.refused).toHaveBeenCalledExactlyOnceWith(
    'This conversation was deleted. Move it back to the inbox first.',
  )
})

it('is offered for several conversations only', () => {
  if (!first) throw new Error('no conversation')
  const { container } = render(<MergeButton ids={['a'] as Ids} chosen={[first]} onMerged={() => undefined} />)
  expect(container).toBeEmptyDOMElement()
})

it('is offered up to the limit of a bulk change, and groups equal names', async () => {
  if (!first) throw new Error('no conversation')
  const many = Array.from({ length: 1000 }, (_, at) => ({ ...first, _id: `c${at}` as Conversation['_id'] }))
  const { unmount } = render(
    <MergeButton ids={many.map(({ _id }) => _id)} chosen={many} onMerged={() => undefined} />,
    { wrapper: TooltipProvider },
  )
  expect(screen.getByRole('button', { name: 'Merge' })).toBeVisible()
  unmount()
  const named = [...parts, ...many.map(({ _id }) => ({ ...parts[0], _id }))]
  render(<ThreadNote conversation={{ ...first, thread: { _id: 't', count: 1002, parts: named } } as Conversation} />)
  expect(
    screen.getByText(/1,?002 conversations shown as one: Telegram · Helper ×1,001, WhatsApp · Helper\./),
  ).toBeVisible()
})

it('names the merged conversations and where an answer goes, and separates after confirmation', async () => {
  render(<ThreadNote conversation={{ ...first, thread: { _id: 't', count: 2, parts } } as unknown as Conversation} />)
  await expectAccessible()
  expect(screen.getByText(/2 conversations shown as one: Telegram · Helper, WhatsApp · Helper\./)).toBeVisible()
  expect(screen.getByText(/The answer goes to: Telegram · Helper\./)).toBeVisible()
  server.call.mockResolvedValue({ conversationIds: ['a', 'b'] })
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  expect(screen.getByRole('alertdialog')).toHaveTextContent('Nothing is lost, and nothing is sent.')
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Separate' }))
  expect(server.call.mock.calls).toEqual([['conversations/threads:separate', { threadId: 't' }]])
  server.success.mock.calls[0]?.[1]?.action?.onClick()
  expect(server.call).toHaveBeenLastCalledWith('conversations/threads:merge', { conversationIds: ['a', 'b'] })
})

it('passes on which of the selected ones were left out, with the reason', async () => {
  if (!first || !second) throw new Error('no conversations')
  const refused = [{ conversationId: 'b', error: 'several_contacts' }]
  server.call.mockResolvedValue({ threadId: 't', count: 2, refused })
  const onMerged = vi.fn<(updated: number, failures: unknown[]) => void>()
  render(<MergeButton ids={['a', 'b', 'c'] as Ids} chosen={[first, second]} onMerged={onMerged} />, {
    wrapper: TooltipProvider,
  })
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
  expect(onMerged).toHaveBeenCalledExactlyOnceWith(2, refused)
})

describe('from the menu of a conversation', () => {
  const standing = { agentName: 'Helper', status: 'active', messageCount: 3, lastMessageAt: Date.UTC(2026, 1, 3) }
  const other = (_id: string, channel: string) => ({ ...standing, _id, channel })
  const open = { ...first, customer: { _id: 'anna', name: 'Anna' } } as unknown as Conversation
  const onClose = vi.fn<() => void>()

  function show(...others: ReturnType<typeof other>[]) {
    server.contact.mockReturnValue({ conversations: [other('a', 'telegram'), ...others] })
    onClose.mockReset()
    render(<MergeWithDialog conversation={open} customerId={'anna' as Id<'customers'>} onClose={onClose} />)
  }

  it('selects others of the same contact by the keyboard alone, without the open one', async () => {
    show(other('b', 'whatsapp'), other('c', 'webchat'))
    expect(screen.getAllByRole('checkbox')).toHaveLength(2)
    expect(screen.getByRole('button', { name: 'Merge' })).toBeDisabled()
    const second = screen.getByRole('checkbox', { name: /WhatsApp · Helper/ })
    for (let presses = 0; presses < 5 && document.activeElement !== second; presses++) await userEvent.tab()
    await userEvent.keyboard(' ')
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.tab()
    await userEvent.keyboard('{Enter}')
    expect(server.call.mock.calls).toEqual([['conversations/threads:merge', { conversationIds: ['a', 'b'] }]])
    expect(onClose).toHaveBeenCalledOnce()
  })

  it('preselects the only other one', async () => {
    show(other('b', 'whatsapp'))
    await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
    expect(server.call.mock.calls).toEqual([['conversations/threads:merge', { conversationIds: ['a', 'b'] }]])
  })

  it('shows the reason next to one that was left out', async () => {
    show(other('b', 'whatsapp'), other('c', 'webchat'))
    const refused = [{ conversationId: 'c', error: 'conversation_deleted' }]
    server.call.mockResolvedValue({ threadId: 't', count: 2, refused })
    for (const each of screen.getAllByRole('checkbox')) await userEvent.click(each)
    await userEvent.click(screen.getByRole('button', { name: 'Merge' }))
    expect(await screen.findByRole('alert')).toHaveTextContent(/deleted/i)
    await expectAccessible()
    expect(onClose).not.toHaveBeenCalled()
  })

  it('explains what to do when there is no other', async () => {
    show()
    await expectAccessible()
    expect(screen.getByText(/This contact has no other conversations/)).toBeVisible()
    expect(screen.queryByRole('checkbox')).toBeNull()
  })
})
