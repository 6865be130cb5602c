// The page of analytics: what is asked follows the address, every number is a link, every chart a table too, and what cannot be asked is refused in words.
import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { AnalyticsOverview, BreakdownRow, Figures } from '#shared/analytics/analytics.ts'
import type { Organization } from '#shared/organizations/organizations.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { AnalyticsPage } from './analytics-page.tsx'

type Asked = { by?: string; range: object; interval?: string; filters?: object }
const asked: Record<string, Asked[]> = {}
const saved = vi.hoisted(() => vi.fn<(name: string, text: string, type: string) => void>())
const exported = vi.hoisted(() => vi.fn<(args: object) => Promise<{ name: string; csv: string }>>())
let overview: AnalyticsOverview | undefined
let rows: Record<string, BreakdownRow[]>
vi.mock('#web/lib/browser/save-file.ts', () => ({ saveFile: saved }))
vi.mock('#web/lib/server/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/server/convex.ts')>()),
  fetchOnce: (_: unknown, args: object) => exported(args),
  useQuery: (reference: Parameters<typeof getFunctionName>[0], args: Asked) => {
    const name = getFunctionName(reference)
    asked[name] = [...(asked[name] ?? []), args]
    if (name === 'agents:list') return [{ _id: 'a'.repeat(32), slug: 'helper', name: 'Helper' }]
    if (name === 'organizations:members') return [{ _id: 'c'.repeat(32), name: 'Boris' }]
    if (name === 'conversations:tags') return ['vip']
    if (name === 'analytics:overview') return overview
    return { range: RANGE, rows: rows[args.by ?? ''] ?? [], isMore: false }
  },
}))

const RANGE = { start: Date.UTC(2026, 10, 1), end: Date.UTC(2026, 10, 3), from: '2026-11-01', to: '2026-11-02' }
const FIGURES: Figures = {
  ...{ conversations: 20, resolved: 12, handedOff: 5, reopened: 1, unanswered: 2, everReopened: 3, didNotKnow: 4 },
  firstResponse: { count: 18, medianMs: 42_000, p90Ms: 185_000 },
  resolution: { count: 14, medianMs: 7_800_000, p90Ms: null },
  ratings: { count: 6, average: 4.5, scores: [0, 0, 1, 1, 4] },
  cost: {
    microUsd: 250_000,
    perConversation: 12_500,
    perResolution: 20_833,
    unpricedCalls: 2,
    unpricedConversations: 1,
  },
  messages: { customer: 60, agent: 50, operator: 10, conversations: 22 },
}
const NOTHING: Figures = {
  ...{ conversations: 0, resolved: 0, handedOff: 0, reopened: 0, unanswered: 0, everReopened: 0, didNotKnow: 0 },
  firstResponse: { count: 0, medianMs: null, p90Ms: null },
  resolution: { count: 0, medianMs: null, p90Ms: null },
  ratings: { count: 0, average: null, scores: [0, 0, 0, 0, 0] },
  cost: { microUsd: 0, perConversation: null, perResolution: null, unpricedCalls: 0, unpricedConversations: 0 },
  messages: { customer: 0, agent: 0, operator: 0, conversations: 0 },
}
const outcomes = { conversations: 10, resolved: 6, handedOff: 3, reopened: 0, unanswered: 1 }
const spent = { messages: 50, costMicroUsd: 250_000, unpricedCalls: 2 }
const OVERVIEW: AnalyticsOverview = {
  timeZone: 'UTC',
  range: RANGE,
  before: { start: RANGE.start - 172_800_000, end: RANGE.start, from: '2026-10-30', to: '2026-10-31' },
  figures: FIGURES,
  figuresBefore: { ...FIGURES, conversations: 10, resolved: 12, handedOff: 0 },
  bars: [0, 1].map((day) => ({
    ...outcomes,
    start: RANGE.start + day * 86_400_000,
    end: RANGE.start + (day + 1) * 86_400_000,
    messages: { customer: 30, agent: 25, operator: 5 },
  })),
  spend: { customers: spent, test: { messages: 3, costMicroUsd: 0, unpricedCalls: 0 } },
}
const row = (key: string | null, more: Partial<BreakdownRow>): BreakdownRow => ({
  ...FIGURES,
  key,
  name: null,
  isDeleted: false,
  ...more,
})

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('analytics')
})
beforeEach(() => {
  for (const name of Object.keys(asked)) delete asked[name]
  exported.mockReset().mockResolvedValue({ name: 'timeline.csv', csv: 'a;b' })
  saved.mockReset()
  overview = OVERVIEW
  rows = {
    hour: [row('0-13', { conversations: 7 })],
    agent: [row('a'.repeat(32), { name: 'Helper' }), row('b'.repeat(32), { name: 'Old', isDeleted: true })],
    operator: [row('c'.repeat(32), { name: 'Boris' }), row(null, {})],
    reason: [row('customer_request', {})],
  }
})

function open(search = '') {
  const organization = { name: 'Café', timeZone: 'UTC' } as Organization
  const addresses: string[] = []
  const page = (
    <NuqsTestingAdapter hasMemory searchParams={search} onUrlUpdate={({ queryString }) => addresses.push(queryString)}>
      <TooltipProvider>
        <AnalyticsPage />
      </TooltipProvider>
    </NuqsTestingAdapter>
  )
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: ['/analytics'] })
  render(
    <CurrentUserProvider
      user={{ organizationRole: 'analyst', organization } as Parameters<typeof CurrentUserProvider>[0]['user']}
    >
      <RouterProvider router={router} />
    </CurrentUserProvider>,
  )
  return { addresses, person: userEvent.setup() }
}

const searchOf = (link: HTMLElement) =>
  Object.fromEntries(new URL(link.getAttribute('href') ?? '', 'http://x').searchParams)
const begun = { folder: 'kept', begunSince: String(RANGE.start), begunUntil: String(RANGE.end) }

it('shows each number with its share, its change and a link to exactly its conversations', () => {
  open()
  const resolved = screen.getByRole('link', { name: 'Resolved by the agent: 12. Open these conversations' })
  expect(searchOf(resolved)).toEqual({ ...begun, outcome: 'resolved' })
  const card = within(resolved.parentElement as HTMLElement)
  expect(card.getByText('60% of conversations begun')).toBeVisible()
  expect(card.getByText('As in the period before')).toBeVisible()
  expect(screen.getByText('Up 100%, was 10')).toBeVisible()
  expect(screen.getByText('The period before: 0')).toBeVisible()
  expect(screen.getByText('2 more among those handed over')).toBeVisible()
})

it('says times, ratings and prices, and counts calls without a price', () => {
  open()
  const first = screen.getByRole('link', { name: /^Time to first response: 42/ })
  expect(searchOf(first)).toEqual({ ...begun, isAnswered: 'true' })
  expect(screen.getByText(/^Nine of ten took no longer than 3\smins? 5\ssecs?$/)).toBeVisible()
  expect(screen.getByRole('link', { name: /^Time to resolution: 2\shrs? 10\smins?/ })).toBeVisible()
  expect(screen.getByRole('link', { name: /^Average rating: 4\.5 of 5/ })).toBeVisible()
  expect(screen.getByRole('link', { name: /^Cost per conversation: at least \$0\.0125/ })).toBeVisible()
  const unpriced = screen.getAllByRole('link', { name: '2 model calls without a known price' })
  expect(searchOf(unpriced[0] as HTMLElement)).toEqual({ ...begun, isUnpriced: 'true' })
})

it('says what each number means', () => {
  open()
  expect(screen.getByText(/the customer wrote again within 7/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Reopened: how it is counted' })).toBeVisible()
})

it('asks with what stands in the address', () => {
  open('?from=2026-01-01&to=2026-06-30&agent=helper&channel=vk&assignee=nobody&tag=vip')
  const range = { from: '2026-01-01', to: '2026-06-30' }
  const filters = { agentId: 'a'.repeat(32), channel: 'vk', assigneeId: null, tag: 'vip' }
  expect(asked['analytics:overview']?.at(-1)).toEqual({ range, interval: 'week', filters })
  expect(asked['analytics:breakdown']?.at(-1)).toMatchObject({ range, filters })
  const link = screen.getByRole('link', { name: /^Conversations begun: 20/ })
  expect(searchOf(link)).toEqual({ ...begun, agent: 'helper', channel: 'vk', assignee: 'nobody', tag: 'vip' })
})

it('keeps days, interval and filters in the address', async () => {
  const { addresses, person } = open()
  await person.click(screen.getByRole('button', { name: /^90/ }))
  expect(addresses.at(-1)).toBe('?range=90d')
  await person.click(screen.getByRole('combobox', { name: 'Interval' }))
  await person.click(screen.getByRole('option', { name: 'By month' }))
  expect(addresses.at(-1)).toBe('?range=90d&interval=month')
  await person.click(screen.getByRole('combobox', { name: 'Assignee' }))
  await person.click(screen.getByRole('option', { name: 'Unassigned' }))
  expect(addresses.at(-1)).toBe('?range=90d&interval=month&assignee=nobody')
  await person.click(screen.getByRole('button', { name: 'Clear filters' }))
  expect(addresses.at(-1)).toBe('?range=90d&interval=month')
})

it('takes days of one’s own, and says which it cannot take', async () => {
  const { addresses, person } = open()
  await person.click(screen.getByRole('button', { name: 'Other dates' }))
  const [from, to] = [screen.getByLabelText('From'), screen.getByLabelText('To')]
  await person.clear(from)
  await person.type(from, '2026-03-10')
  await person.clear(to)
  await person.type(to, '2026-03-01')
  await person.click(screen.getByRole('button', { name: 'Show' }))
  expect(to).toHaveAccessibleDescription(/last day is before/)
  expect(addresses).toEqual([])
  await person.clear(to)
  await person.type(to, '2026-03-12')
  await person.click(screen.getByRole('button', { name: 'Show' }))
  await waitFor(() => expect(addresses.at(-1)).toBe('?from=2026-03-10&to=2026-03-12'))
})

it.each([
  ['?from=2026-03-02&to=2026-03-01', /last day is before/],
  ['?from=2020-01-01&to=2026-03-01', /731/],
  ['?range=90d&interval=hour', /interval|bars/],
])('does not ask for what the server would refuse: %s', (search, words) => {
  open(search)
  expect(within(screen.getByRole('alert')).getByText(words)).toBeVisible()
  expect(asked['analytics:overview']).toBeUndefined()
})

it('leads from a bar to its conversations, and walks over the bars by keyboard', async () => {
  const { person } = open()
  const bars = within(screen.getByRole('group', { name: /^Conversations and their outcome/ })).getAllByRole('link')
  expect(bars.map((bar) => bar.tabIndex)).toEqual([-1, 0])
  expect(bars[1]).toHaveAccessibleName(/^2 November\. Conversations begun: 10\. Resolved by the agent: 6/)
  expect(searchOf(bars[1] as HTMLElement)).toEqual({
    ...begun,
    begunSince: String(RANGE.start + 86_400_000),
  })
  bars[1]?.focus()
  await person.keyboard('{ArrowLeft}')
  expect(bars[0]).toHaveFocus()
  expect(screen.getByText(/^1 November\. Conversations begun/)).toBeVisible()
  await person.keyboard('{Escape}')
  expect(screen.queryByText(/^1 November\. Conversations begun/)).toBeNull()
})

it('shows a chart as a table whose numbers are links, by a link', async () => {
  const { addresses, person } = open('?table=timeline')
  const table = screen.getByRole('table', { name: 'Conversations and their outcome' })
  const [, first] = within(table).getAllByRole('row')
  expect([...(first?.children ?? [])].map((cell) => cell.textContent)).toEqual(['1 November', '10', '6', '3', '0', '1'])
  expect(searchOf(within(first as HTMLElement).getByRole('link', { name: '3' }))).toMatchObject({
    outcome: 'handed_off',
  })
  await person.click(screen.getByRole('button', { name: 'Table: By agent' }))
  expect(addresses.at(-1)).toBe('?table=timeline,agent')
  expect(screen.getByRole('table', { name: 'By agent' })).toBeVisible()
})

it('names rows in words: deleted agents, unassigned conversations, reasons', () => {
  open()
  expect(screen.getByRole('link', { name: 'Old (deleted) 20 conversations' })).toBeVisible()
  const unassigned = screen.getByRole('link', { name: 'Unassigned 20 conversations' })
  expect(searchOf(unassigned)).toEqual({ ...begun, assignee: 'nobody' })
  const reason = screen.getByRole('link', { name: 'The customer asked for a person 20 conversations' })
  expect(searchOf(reason)).toEqual({ ...begun, handoffReason: 'customer_request' })
})

it('leads from an hour of the week to the conversations begun in it', () => {
  open()
  const hour = screen.getByRole('link', { name: 'Monday, 13:00–14:00: 7 conversations' })
  expect(searchOf(hour)).toEqual({ ...begun, weekday: '0', hour: '13' })
  expect(screen.getByRole('img', { name: 'Tuesday, 00:00–01:00: 0 conversations' })).toBeInTheDocument()
})

it('saves a chart as a file with what the page asks for', async () => {
  const { person } = open('?range=7d&tag=vip')
  await person.click(screen.getByRole('button', { name: 'CSV: Conversations and their outcome' }))
  expect(exported).toHaveBeenCalledWith({
    ...{ chart: 'timeline', range: { days: 7 }, interval: 'day', filters: { tag: 'vip' }, language: 'en' },
  })
  expect(saved).toHaveBeenCalledWith('timeline.csv', 'a;b', 'text/csv')
})

it('says that there is nothing, without a chart', () => {
  overview = { ...OVERVIEW, figures: NOTHING, figuresBefore: NOTHING }
  rows = {}
  open()
  expect(screen.getAllByText('There is nothing on these days')).toHaveLength(10)
  expect(screen.queryByRole('group', { name: /^Conversations and their outcome/ })).toBeNull()
  expect(screen.getByRole('link', { name: /^Average rating: –/ })).toBeVisible()
})
