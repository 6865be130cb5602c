// The bar of selected conversations: from one, to all loaded ones, to all in the list, of which the screen has loaded a part.
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Conversation, ConversationFilter, Matching } from '#shared/messaging/conversations.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { BulkBar } from './bulk-bar.tsx'
import { BulkProgress } from './bulk-progress.tsx'
import { forgetBulk } from './bulk-work.ts'
import { useSelection } from './use-selection.ts'

type Reference = Parameters<typeof getFunctionName>[0]
const server = vi.hoisted(() => ({
  matching: undefined as unknown,
  found: [] as unknown[],
  asked: vi.fn<(args: unknown) => void>(),
  search: vi.fn<(args: unknown) => Promise<unknown>>(),
  call: vi.fn<(name: string, args: { conversationIds: string[] }) => Promise<unknown>>(),
}))
fakeConvex(() => ({
  useQuery: (reference: Reference, args: unknown) => {
    const name = getFunctionName(reference)
    if (args === 'skip') return undefined
    if (name === 'conversations:found') return server.found
    if (name === 'organizations:members') return MEMBERS
    if (name === 'conversations:tags') return ['rare', 'vip']
    if (name !== 'conversations:matching') return undefined
    server.asked(args)
    return server.matching
  },
  useMutation: (reference: Reference) => (args: { conversationIds: string[] }) =>
    server.call(getFunctionName(reference), args),
  useAction: () => server.search, // a stable function, like the real one
}))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({
  useCurrentUser: () => ({ _id: 'me', organizationRole: 'owner' }),
}))

const MEMBERS = [
  { _id: 'me', name: 'Me', role: 'owner' },
  { _id: 'olga', name: 'Olga', role: 'operator' },
  { _id: 'aron', name: 'Aron', role: 'analyst' },
]
const FILTER: ConversationFilter = { status: 'active' }
const idsOf = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`) as Conversation['_id'][]
const rowsOf = (count: number) =>
  idsOf(count).map(
    (_id) =>
      ({
        _id,
        customer: { name: `Customer ${_id}` },
        folder: 'inbox',
        tags: ['vip'],
        channel: 'http',
      }) as unknown as Conversation,
  )
const holds = (count: number, isMore = false): Matching => ({ conversationIds: idsOf(count), isMore })

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('conversations')
  await loadTexts('exports')
})
beforeEach(() => {
  forgetBulk()
  server.matching = holds(120)
  server.found = []
  server.asked.mockReset()
  server.search.mockReset()
  server.call.mockReset()
  server.call.mockImplementation(async (_, { conversationIds }) =>
    conversationIds.map((conversationId) => ({ conversationId, error: null, before: 'inbox' })),
  )
})

type ListProps = { rows: Conversation[]; filter?: ConversationFilter; words?: string; canLoadMore?: boolean }

/** The list on a page: gone when it has no rows, with the running change, and next to it an open conversation, which E archives. */
function Page({ rows, onArchive = () => undefined }: ListProps & { onArchive?: () => void }) {
  useShortcut('archive', onArchive)
  return (
    <>
      <BulkProgress />
      {rows.length > 0 && <List rows={rows} />}
    </>
  )
}

function List({ rows, filter = FILTER, words, canLoadMore = true }: ListProps) {
  const selection = useSelection(rows, null, { filter, words, canLoadMore })
  return (
    <TooltipProvider>
      <button type="button" onClick={() => rows[0] && selection.toggle(rows[0]._id, false)}>
        First row
      </button>
      <BulkBar selection={selection} conversations={rows} />
    </TooltipProvider>
  )
}

const bar = () => screen.getByRole('group', { name: 'Selected conversations' })
const chooseAll = () => userEvent.keyboard('{Control>}a{/Control}')
const called = () => server.call.mock.calls.map(([name, { conversationIds }]) => [name, conversationIds.length])

it('offers the rest of the list once all loaded rows are selected, and changes all of it in portions', async () => {
  render(<List rows={rowsOf(50)} />)
  await userEvent.click(screen.getByRole('button', { name: 'First row' }))
  expect(server.asked).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Select all' }))
  expect(within(bar()).getByText('50 selected')).toBeInTheDocument()
  expect(server.asked).toHaveBeenLastCalledWith(FILTER)
  await expectAccessible()
  await userEvent.click(screen.getByRole('button', { name: 'Select all 120 in this list' }))
  expect(within(bar()).getByText('120 selected')).toBeInTheDocument()
  expect(screen.getByText('All 120 in this list are selected.')).toHaveAttribute('aria-live', 'polite')
  await expectAccessible()
  await userEvent.click(within(bar()).getByRole('button', { name: 'Archive' }))
  expect(called()).toEqual([
    ['conversations/bulk:place', 100],
    ['conversations/bulk:place', 20],
  ])
})

async function choicesOf(name: string): Promise<(string | null)[]> {
  await userEvent.click(within(bar()).getByRole('button', { name }))
  const choices = screen.getAllByRole('menuitem').map(({ textContent }) => textContent)
  await userEvent.keyboard('{Escape}')
  return choices
}

it('offers nothing that would be refused', async () => {
  const ended = rowsOf(2).map((row) => ({ ...row, status: 'ended' as const }))
  const { rerender } = render(<List rows={ended} canLoadMore={false} />)
  await chooseAll()
  expect(await choicesOf('Status')).toEqual(['Resume agents', 'End'])
  expect(await choicesOf('Assign')).toEqual(['Me', 'Olga', 'Nobody'])
  rerender(<List rows={ended.map((row) => ({ ...row, folder: 'deleted' as const }))} canLoadMore={false} />)
  expect(within(bar()).queryByRole('button', { name: 'Status' })).toBeNull()
  await userEvent.keyboard('{Alt>}e{/Alt}')
  expect(server.call).not.toHaveBeenCalled()
})

it('works by the keyboard alone: the same key extends the selection, Escape clears it', async () => {
  render(<List rows={rowsOf(50)} />)
  await chooseAll()
  expect(within(bar()).getByText('50 selected')).toBeInTheDocument()
  await chooseAll()
  expect(within(bar()).getByText('120 selected')).toBeInTheDocument()
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('group')).toBeNull()
})

it('loads the remaining results of a search, and searches again after a change', async () => {
  const hits = (from: number, to: number) =>
    idsOf(to)
      .slice(from)
      .map((conversationId) => ({ conversationId }))
  server.search
    .mockResolvedValueOnce({ hits: hits(0, 100), continueCursor: 'on' })
    .mockResolvedValueOnce({ hits: hits(100, 150), continueCursor: null })
    .mockResolvedValueOnce({ hits: hits(0, 100), continueCursor: 'on' }) // no new rows above
    .mockResolvedValue({ hits: [], continueCursor: null })
  render(<List rows={rowsOf(50)} words="parking" />)
  await chooseAll()
  await userEvent.click(await screen.findByRole('button', { name: 'Select all 150 in this list' }))
  expect(server.asked).not.toHaveBeenCalled()
  expect(server.search.mock.calls.flat()).toEqual([
    { ...FILTER, query: 'parking', cursor: null },
    { ...FILTER, query: 'parking', cursor: 'on' },
    { ...FILTER, query: 'parking', cursor: null },
  ])
  await userEvent.click(within(bar()).getByRole('button', { name: 'Archive' }))
  expect(called()).toEqual([
    ['conversations/bulk:place', 100],
    ['conversations/bulk:place', 50],
  ])
  await waitFor(() => expect(screen.queryByRole('group')).toBeNull())
})

it('warns before and after when the list holds more than can be changed at once', async () => {
  server.matching = holds(1000, true)
  render(<List rows={rowsOf(50)} />)
  await chooseAll()
  await userEvent.click(screen.getByRole('button', { name: 'Select the first 1,000 in this list' }))
  expect(screen.getByText(/^The first 1,000 in this list are selected\. There are more/)).toBeVisible()
  expect(within(bar()).getByText('1,000 selected')).toBeInTheDocument()
})

it('deselects what has left the list, and keeps out what was deselected by hand', async () => {
  const { rerender } = render(<List rows={rowsOf(50)} />)
  await chooseAll()
  await chooseAll()
  server.matching = { conversationIds: idsOf(121).slice(2), isMore: false } // two have left, one has come
  rerender(<List rows={rowsOf(50).slice(2)} />)
  expect(within(bar()).getByText('118 selected')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Select all 119 in this list' })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'First row' }))
  expect(within(bar()).getByText('117 selected')).toBeInTheDocument()
  await userEvent.click(screen.getByRole('button', { name: 'Select all' }))
  expect(within(bar()).getByText('119 selected')).toBeInTheDocument()
})

it('offers no more when everything is loaded', async () => {
  render(<List rows={rowsOf(50)} canLoadMore={false} />)
  await chooseAll()
  expect(server.asked).not.toHaveBeenCalled()
  expect(screen.queryByRole('button', { name: /Select all|Select the first/ })).toBeNull()
})

it('removes a tag that only conversations not loaded have', async () => {
  render(<List rows={rowsOf(50)} />)
  await chooseAll()
  await userEvent.click(within(bar()).getByRole('button', { name: 'Tags' }))
  expect(screen.queryByRole('button', { name: 'Remove tag rare' })).toBeNull()
  await userEvent.keyboard('{Escape}')
  await userEvent.click(screen.getByRole('button', { name: 'Select all 120 in this list' }))
  await userEvent.click(within(bar()).getByRole('button', { name: 'Tags' }))
  await userEvent.click(screen.getByRole('button', { name: 'Remove tag rare' }))
  expect(called()).toEqual([
    ['conversations/bulk:tag', 100],
    ['conversations/bulk:tag', 20],
  ])
})

it('lists failures of conversations not loaded too: by name, and above a limit by count and reason', async () => {
  server.matching = holds(300)
  server.found = rowsOf(300).slice(50, 150)
  server.call.mockImplementation(async (_, { conversationIds }) =>
    conversationIds.map((conversationId) => ({ conversationId, error: 'conversation_deleted', before: null })),
  )
  render(<Page rows={rowsOf(50)} />)
  await chooseAll()
  await chooseAll()
  await userEvent.click(within(bar()).getByRole('button', { name: 'Archive' }))
  const failures = await screen.findByRole('dialog', { name: '0 updated, 300 failed' })
  expect(within(failures).getAllByRole('listitem')).toHaveLength(151)
  expect(failures).toHaveTextContent('Customer c0 ·')
  expect(failures).toHaveTextContent('Customer c149 ·')
  expect(failures).toHaveTextContent('And 150 more ·')
  await expectAccessible()
})

it('continues, can be stopped and reports failures after all loaded rows have left the list', async () => {
  server.matching = holds(1000)
  const first = Promise.withResolvers<unknown>()
  const second = Promise.withResolvers<unknown>()
  server.call.mockReturnValueOnce(first.promise).mockReturnValueOnce(second.promise)
  const archiveOpen = vi.fn()
  const { rerender } = render(<Page rows={rowsOf(50)} onArchive={archiveOpen} />)
  await chooseAll()
  await chooseAll()
  await userEvent.keyboard('e')
  expect(called()).toEqual([['conversations/bulk:place', 100]])
  await userEvent.keyboard('e') // the change is running
  expect(archiveOpen).not.toHaveBeenCalled()
  rerender(<Page rows={[]} />)
  const refused = idsOf(100).map((conversationId) => ({ conversationId, error: 'conversation_deleted', before: null }))
  await act(async () => first.resolve(refused))
  const work = await screen.findByRole('region', { name: 'Updating conversations' }, { timeout: 5000 })
  expect(work).toHaveTextContent('100 of 1,000')
  await expectAccessible()
  await userEvent.click(within(work).getByRole('button', { name: 'Stop' }))
  await act(async () => second.resolve([]))
  expect(await screen.findByRole('dialog', { name: '0 updated, 100 failed' })).toHaveTextContent('Customer c0 ·')
  expect(called()).toHaveLength(2)
  expect(screen.queryByRole('region')).toBeNull()
})

it('asks before it merges all selected ones, names those it has loaded, and gives the number', async () => {
  const merged = Promise.withResolvers<unknown>()
  server.call.mockReturnValue(merged.promise)
  render(<List rows={rowsOf(50)} />)
  await chooseAll()
  await chooseAll()
  await userEvent.click(within(bar()).getByRole('button', { name: 'Merge' }))
  const question = screen.getByRole('alertdialog', { name: 'Merge 120 conversations?' })
  expect(question).toHaveTextContent('and 70 more')
  await userEvent.click(within(question).getByRole('button', { name: 'Merge' }))
  expect(called()).toEqual([['conversations/threads:merge', 120]])
  expect(within(question).getByRole('status')).toHaveTextContent(/^Merging 120 conversations\./)
  expect(within(question).getByRole('button', { name: 'Merge' })).toHaveAttribute('aria-busy', 'true')
  await expectAccessible()
  await act(async () => merged.resolve({ threadId: 't', count: 120, refused: [] }))
  expect(screen.queryByRole('alertdialog')).toBeNull()
})
