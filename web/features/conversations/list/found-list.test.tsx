// The results of a search: where a row links to, and what is added while they are shown.
import { QueryClientProvider } from '@tanstack/react-query'
import { act, render, screen, waitFor } from '@testing-library/react'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import type { ComponentProps } from 'react'
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation, ConversationFilter } from '#shared/messaging/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { HttpError } from '#web/lib/errors.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { queryClient } from '#web/lib/server/query-client.ts'
import { FoundList } from './found-list.tsx'
import type { VirtualRows } from './virtual-rows.tsx'

vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

let newest: object
let inDatabase: Record<string, object>
const asked = vi.fn()
const search = vi.fn()
fakeConvex(() => ({
  useAction: () => search,
  useQuery: (ref: Parameters<typeof getFunctionName>[0], args: { conversationIds?: string[] } | 'skip') => {
    if (getFunctionName(ref) === 'conversations:list') return newest
    if (args === 'skip') return undefined
    asked(args)
    return inDatabase[JSON.stringify(args.conversationIds)]
  },
}))
vi.mock('./virtual-rows.tsx', () => ({
  VirtualRows: ({ conversations, hits, canLoadMore, onLoadMore }: ComponentProps<typeof VirtualRows>) => (
    <>
      {conversations.map(({ _id }) => (
        <p key={_id}>{`${_id} at ${hits?.get(_id)?.messageId}`}</p>
      ))}
      {canLoadMore && (
        <button type="button" onClick={onLoadMore}>
          The end of the list
        </button>
      )}
    </>
  ),
}))

const saying = (text: string) => ({ page: [{ lastMessage: { author: 'customer', text, at: 1 } }] })
const hit = (id: string) => ({ conversationId: id, messageId: `message of ${id}`, excerpt: [] })
const conversation = (id: string) => ({ _id: id }) as Conversation

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
})
beforeEach(() => {
  queryClient.clear() // before the test, not after: a list still mounted would load again, into the next test
  newest = saying('before')
  inDatabase = { '["a"]': [conversation('a')] }
  search.mockReset()
  search.mockResolvedValue({ hits: [hit('a')], isPartial: false, continueCursor: null })
})
afterEach(() => {
  vi.useRealTimers()
})

const page = (filter: ConversationFilter = FILTER) => (
  <QueryClientProvider client={queryClient}>
    <FoundList words="refund" filter={filter} selectedId={null} onCount={onCount} />
  </QueryClientProvider>
)
const FILTER = {}
const ARCHIVED = { folder: 'archived' } as const
const onCount = () => undefined

it('links to the found message, and adds new matches without losing the scroll position', async () => {
  const { rerender } = render(page())
  expect(await screen.findByText('a at message of a')).toBeVisible()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  search.mockResolvedValue({ hits: [hit('b'), hit('a')], isPartial: false, continueCursor: null })
  newest = saying('a refund, please')
  rerender(page())
  expect(search).toHaveBeenCalledTimes(1)
  await act(() => vi.advanceTimersByTimeAsync(1000))
  await waitFor(() => expect(asked).toHaveBeenLastCalledWith({ conversationIds: ['b', 'a'] }))
  expect(screen.getByText('a at message of a')).toBeVisible()
  inDatabase['["b","a"]'] = [conversation('b'), conversation('a')]
  rerender(page())
  expect(screen.getByText('b at message of b')).toBeVisible()
  expect(search).toHaveBeenCalledTimes(2)
})

it('announces that nothing was found', async () => {
  search.mockResolvedValue({ hits: [], isPartial: false, continueCursor: null })
  inDatabase['[]'] = []
  render(<NuqsTestingAdapter>{page()}</NuqsTestingAdapter>)
  expect(await screen.findByText('Nothing found')).toBeVisible()
  await expectAccessible()
})

it('reports a failed search as failed, not as empty, and retries on request', async () => {
  search.mockRejectedValueOnce(new HttpError(400, 'refused'))
  const { getByRole } = render(<NuqsTestingAdapter>{page()}</NuqsTestingAdapter>)
  expect(await screen.findByRole('alert')).toHaveTextContent('The search failed')
  expect(screen.queryByText('Nothing found')).toBeNull()
  await expectAccessible()
  act(() => getByRole('button', { name: 'Search again' }).click())
  expect(await screen.findByText('a at message of a')).toBeVisible()
})

it('searches within the filter, again when that changes, and shows how many of the results are listed', async () => {
  const { rerender } = render(page())
  expect(await screen.findByText('a at message of a')).toBeVisible()
  expect(search).toHaveBeenLastCalledWith({ query: 'refund' })
  search.mockResolvedValue({ hits: [hit('c')], isPartial: true, continueCursor: null })
  inDatabase['["c"]'] = [conversation('c')]
  rerender(page(ARCHIVED))
  expect(await screen.findByText('c at message of c')).toBeVisible()
  expect(search).toHaveBeenLastCalledWith({ query: 'refund', folder: 'archived' })
  expect(screen.getByText('Showing the newest 1. Refine the search to find the rest.')).toBeVisible()
})

it('loads further pages, keeps what new results push out of the first page, and ends with the last page', async () => {
  const found = (hits: string[], continueCursor: string | null) => ({
    hits: hits.map(hit),
    isPartial: false,
    continueCursor,
  })
  search.mockResolvedValue(found(['a', 'b'], 'behind b'))
  inDatabase['["a","b"]'] = ['a', 'b'].map(conversation)
  inDatabase['["a","b","c"]'] = ['a', 'b', 'c'].map(conversation)
  const { rerender } = render(page())
  search.mockResolvedValueOnce(found(['c'], null))
  const end = await screen.findByRole('button', { name: 'The end of the list' })
  act(() => end.click())
  expect(await screen.findByText('c at message of c')).toBeVisible()
  expect(search).toHaveBeenLastCalledWith({ query: 'refund', cursor: 'behind b' })
  expect(screen.queryByText(/are shown/)).toBeNull()
  expect(screen.queryByRole('button')).toBeNull()
  vi.useFakeTimers({ shouldAdvanceTime: true })
  search.mockResolvedValue(found(['n', 'a'], 'behind a'))
  inDatabase['["n","a","b","c"]'] = ['n', 'a', 'b', 'c'].map(conversation)
  newest = saying('a refund, please')
  rerender(page())
  await act(() => vi.advanceTimersByTimeAsync(1000))
  expect(await screen.findByText('n at message of n')).toBeVisible()
  for (const id of ['a', 'b', 'c']) expect(screen.getByText(`${id} at message of ${id}`)).toBeVisible()
})

it('reports that the next page failed, and retries on request', async () => {
  search.mockResolvedValueOnce({ hits: [hit('a')], isPartial: false, continueCursor: 'behind a' })
  inDatabase['["a","b"]'] = ['a', 'b'].map(conversation)
  render(page())
  expect(await screen.findByText('Showing the newest 1. Refine the search to find the rest.')).toBeVisible()
  search.mockRejectedValueOnce(new HttpError(400, 'refused'))
  act(() => screen.getByRole('button', { name: 'The end of the list' }).click())
  search.mockResolvedValueOnce({ hits: [hit('b')], isPartial: false, continueCursor: null })
  const again = await screen.findByRole('button', { name: 'Search further' })
  expect(screen.queryByRole('button', { name: 'The end of the list' })).toBeNull()
  await expectAccessible()
  act(() => again.click())
  expect(await screen.findByText('b at message of b')).toBeVisible()
})

it('loads the next page by itself when all results so far have left the folder', async () => {
  inDatabase = { '["a"]': [], '["a","b"]': [conversation('b')] }
  search.mockResolvedValueOnce({ hits: [hit('a')], isPartial: false, continueCursor: 'behind a' })
  search.mockResolvedValueOnce({ hits: [hit('b')], isPartial: false, continueCursor: null })
  render(<NuqsTestingAdapter>{page()}</NuqsTestingAdapter>)
  expect(await screen.findByText('b at message of b')).toBeVisible()
})

it.each([
  ['nor goes on', 'behind b'],
  ['though it is the last', null],
])('does not report an empty result before the next page is known, %s', async (_, cursor) => {
  inDatabase = { '["a"]': [] }
  const next = Promise.withResolvers<object>()
  search.mockResolvedValueOnce({ hits: [hit('a')], isPartial: false, continueCursor: 'behind a' })
  search.mockReturnValueOnce(next.promise)
  const inside = () => <NuqsTestingAdapter>{page()}</NuqsTestingAdapter>
  const { rerender } = render(inside())
  await waitFor(() => expect(search).toHaveBeenCalledTimes(2))
  await act(async () => next.resolve({ hits: [hit('b')], isPartial: false, continueCursor: cursor }))
  expect(asked).toHaveBeenLastCalledWith({ conversationIds: ['a', 'b'] })
  expect(screen.queryByText('Nothing found')).toBeNull()
  inDatabase['["a","b"]'] = [conversation('b')]
  rerender(inside())
  expect(await screen.findByText('b at message of b')).toBeVisible()
  expect(search).toHaveBeenCalledTimes(2)
})
