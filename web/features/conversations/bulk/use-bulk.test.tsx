// What the toast reports when a bulk change is undone from it.
import { act, renderHook, waitFor } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { Bulk, StatusBefore, TakenBack } from '#shared/messaging/conversations.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { type BulkList, setBulkOutcome, useBulkWork } from './bulk-work.ts'
import { useBulk } from './use-bulk.ts'

const IDS = ['a', 'b'] as Id<'conversations'>[]
const LIST: BulkList = { folder: 'inbox', conversations: [] }
const CHANGED = 'The conversation changed in the meantime, so nothing was done. Check it and try again.'
type Args = { conversationIds: Id<'conversations'>[]; tickets: string[] }
const server = vi.hoisted(() => ({ undo: vi.fn<(tickets: string[]) => Promise<unknown>>() }))
const toast = vi.hoisted(() => ({ success: vi.fn(), error: vi.fn(), failure: vi.fn() }))
vi.mock('#web/lib/toast.ts', () => ({ toast }))
fakeConvex(() => ({
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => async (args: Args) => {
    if (getFunctionName(reference) === 'conversations/bulk:undo') return server.undo(args.tickets)
    const before = (id: string): StatusBefore => ({ status: 'active', ticket: `of ${id}` })
    return args.conversationIds.map((conversationId) => ({
      conversationId,
      error: null,
      before: before(conversationId),
    }))
  },
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  vi.resetAllMocks()
  setBulkOutcome(null)
})

const done = (id: string, wasAsked = false): Bulk<TakenBack>[number] => ({
  conversationId: id as Id<'conversations'>,
  error: null,
  before: { wasAsked },
})
const left = (id: string): Bulk<TakenBack>[number] => ({ ...done(id), error: 'conversation_changed' })

type Changes = ReturnType<typeof useBulk>
/** Makes a change, and undoes it from its toast. */
async function changeAndUndo(change: (bulk: Changes) => Promise<void>, list?: BulkList) {
  const { result } = renderHook(() => useBulk(list))
  await act(() => change(result.current))
  await press(toast.success)
}
async function press(shown: typeof toast.success): Promise<void> {
  const [, options] = shown.mock.lastCall as [string, { action: { onClick: () => void } }]
  await act(async () => options.action.onClick())
}

it.each([
  [0, {}],
  [1, { description: '1 customer had already been asked for a rating: the question has been sent.' }],
  [2, { description: '2 customers had already been asked for a rating: the questions have been sent.' }],
])('reports that %i were asked for a rating, which cannot be undone', async (asked, text) => {
  server.undo.mockResolvedValue(IDS.map((id, at) => done(id, at < asked)))
  await changeAndUndo((bulk) => bulk.changeStatus(IDS, 'ended'))
  await waitFor(() => expect(toast.success).toHaveBeenCalledTimes(2))
  expect(toast.success.mock.lastCall).toEqual(['Changes undone', text])
  expect(toast.error).not.toHaveBeenCalled()
})

const changes: [string, (bulk: Changes) => Promise<void>][] = [
  ['moved', (bulk) => bulk.move(IDS, 'archived')],
  ['ended', (bulk) => bulk.changeStatus(IDS, 'ended')],
  ['assigned', (bulk) => bulk.assign(IDS, null)],
  ['tagged', (bulk) => bulk.tag(IDS, 'vip', true)],
]

it.each(changes)(
  'lists what another user has changed since it was %s, and reports the rest as undone',
  async (_, change) => {
    server.undo.mockResolvedValue([done('a'), left('b')])
    await changeAndUndo(change, LIST)
    expect(server.undo.mock.calls).toEqual([[['of a', 'of b']]])
    expect(toast.success).toHaveBeenLastCalledWith('Changes undone', {})
    expect(toast.error).toHaveBeenCalledExactlyOnceWith(CHANGED)
    const failures = [{ conversationId: 'b', error: 'conversation_changed' }]
    expect(renderHook(useBulkWork).result.current.outcome).toEqual({ ...LIST, updated: 1, failures })
  },
)

it('does not report an undo when nothing was changed back', async () => {
  server.undo.mockResolvedValue([left('a'), left('b')])
  await changeAndUndo((bulk) => bulk.move(IDS, 'deleted'))
  expect(toast.error).toHaveBeenCalledExactlyOnceWith(CHANGED)
  expect(toast.success).toHaveBeenCalledOnce()
})

it('undoes a thousand in portions, and on retry only the remaining ones', async () => {
  const many = Array.from({ length: 250 }, (_, at) => `c${at}` as Id<'conversations'>)
  server.undo.mockImplementation(async (tickets) => {
    if (server.undo.mock.calls.length === 2) throw new Error('lost')
    return tickets.map((ticket) => done(ticket.slice('of '.length)))
  })
  await changeAndUndo((bulk) => bulk.move(many, 'archived'))
  expect(toast.success).toHaveBeenCalledOnce()
  await press(toast.failure)
  expect(toast.success).toHaveBeenLastCalledWith('Changes undone', {})
  const portions = server.undo.mock.calls.map(([tickets]) => [tickets[0], tickets.length])
  expect(portions).toEqual([
    ['of c0', 100],
    ['of c100', 100],
    ['of c100', 100],
    ['of c200', 50],
  ])
})
