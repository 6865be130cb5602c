// The plan page says what is used, until when it lasts and what to do; requests go to the server, and roles without the permission only read.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import type { CurrentUser, Organization } from '#shared/organizations/organizations.ts'
import type { Plan, PlanOverview } from '#shared/organizations/plans.ts'
import type { OrganizationRole } from '#shared/organizations/policy.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { PlanPage } from './plan-page.tsx'

const called = vi.hoisted(() => vi.fn<(name: string, args: object) => Promise<unknown>>())
const ranges: { start: number; end: number }[] = []
let usage: UsageOverview
let overview: PlanOverview
vi.mock('#web/lib/server/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/server/convex.ts')>()),
  useMutation: (reference: Parameters<typeof getFunctionName>[0]) => (args: object) =>
    called(getFunctionName(reference), args),
  useQuery: (
    reference: Parameters<typeof getFunctionName>[0],
    args: { timeRange?: { start: number; end: number } },
  ) => {
    if (args.timeRange) ranges.push(args.timeRange)
    return getFunctionName(reference) === 'billing:getPlan' ? overview : usage
  },
}))

const plan = (slug: string, more: Partial<Plan>): Plan => ({
  slug,
  name: slug.charAt(0).toUpperCase() + slug.slice(1),
  price: 50_000,
  currency: 'KZT',
  messages: 10_000,
  members: 5,
  channelSlots: 3,
  features: { ru: ['Базы знаний'], en: ['Knowledge spaces', 'Email support'] },
  ...more,
})
const STARTER = plan('starter', {})
const PRO = plan('pro', { price: 100_000, messages: 50_000, members: 25, channelSlots: 10 })
const ENTERPRISE = plan('enterprise', { price: null, messages: null, members: null, channelSlots: null })

/** The last thirty days before 21 November, four messages a day. */
const timeline = Array.from({ length: 30 }, (_, at) => ({
  key: new Date(Date.UTC(2026, 9, 22 + at)).toISOString().slice(0, 10),
  messages: 4,
}))
const USAGE: UsageOverview = {
  plan: { slug: 'starter', name: 'Starter', allowance: 100 },
  period: { key: '2026-11', messages: 80 },
  totals: { messages: 120, tokens: 5000, cost: 1.25, unpricedCalls: 0, remaining: 20, percentage: 0.8 },
  unpricedModels: [],
  thresholds: { status: 'warning' },
  categories: [
    { key: 'agent_response', messages: 100 },
    { key: 'system_message', messages: 9 },
    { key: 'helper_generation', messages: 7 },
    { key: 'test_message', messages: 13 },
    { key: 'follow_up', messages: 0 },
  ],
  timeline,
  channels: [
    { key: 'telegram', messages: 70 },
    { key: 'unknown', messages: 30 },
  ],
}
const OVERVIEW: PlanOverview = {
  own: STARTER,
  allowance: 100,
  members: { used: 7, allowed: 5 },
  channelSlots: { used: 1, allowed: 3 },
  plans: [STARTER, PRO, ENTERPRISE],
  request: null,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings', 'plan')
})
beforeEach(() => {
  called.mockReset().mockResolvedValue({})
  ranges.length = 0
  usage = USAGE
  overview = OVERVIEW
})

function open({ role = 'owner', search = '', atLimit = 'stop' } = {}) {
  const organization = { _id: 'o1' as Id<'organizations'>, name: 'Café', timeZone: 'UTC', atLimit, plan: 'starter' }
  const user = { organizationRole: role as OrganizationRole, organization: organization as Organization }
  const addresses: string[] = []
  const page = (
    <NuqsTestingAdapter hasMemory searchParams={search} onUrlUpdate={({ queryString }) => addresses.push(queryString)}>
      <PlanPage />
    </NuqsTestingAdapter>
  )
  const router = createMemoryRouter([{ path: '*', element: page }], { initialEntries: ['/settings/plan'] })
  render(
    <CurrentUserProvider user={user as CurrentUser}>
      <RouterProvider router={router} />
    </CurrentUserProvider>,
  )
  return { addresses, person: userEvent.setup() }
}

const section = (name: string) => {
  const found = screen.getByRole('heading', { name, level: 2 }).closest('section')
  if (!found) throw new Error(`no section ${name}`)
  return within(found)
}

it('says what the month has used, what is left, until when and how long it lasts', () => {
  open()
  const month = section('Message allowance')
  expect(month.getByText('November 2026')).toBeVisible()
  expect(month.getByText('of 100 messages')).toBeVisible()
  expect(month.getByText('20 messages left,')).toBeVisible()
  expect(month.getByText(/80% used\. The allowance renews on 1 December\./)).toBeVisible()
  expect(month.getByText('At the pace of the last days it lasts until about 25 November.')).toBeVisible()
  expect(month.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '80')
  expect(month.getByText('Running low')).toBeVisible()
})

it.each([
  ['stop', 20, 'agents stop answering customers until 1 December'],
  ['overage', 20, 'agents go on answering'],
  ['handoff', 20, 'your team answers customers'],
  ['stop', 0, 'Agents do not answer customers until 1 December.'],
  ['overage', 0, 'Agents go on answering'],
  ['handoff', 0, 'Agents are paused'],
])('says what happens at the limit (%s, %i left), and offers the next step', (atLimit, remaining, text) => {
  const status = remaining === 0 ? 'critical' : 'warning'
  usage = { ...USAGE, totals: { ...USAGE.totals, remaining }, thresholds: { status } }
  open({ atLimit })
  const alert = within(screen.getByRole(remaining === 0 ? 'alert' : 'status', { name: '' }))
  expect(alert.getByText(new RegExp(text))).toBeVisible()
  expect(alert.getByRole('link', { name: 'Choose another plan' })).toHaveAttribute('href', '/settings/plan#plans')
  expect(alert.getByRole('link', { name: 'Set what happens at the limit' })).toBeVisible()
})

it('counts what lies above the allowance', () => {
  usage = {
    ...USAGE,
    period: { key: '2026-11', messages: 130 },
    totals: { ...USAGE.totals, remaining: 0, percentage: 1 },
    thresholds: { status: 'critical' },
  }
  open({ atLimit: 'overage' })
  expect(screen.getByText('Above the allowance: 30 messages.')).toBeVisible()
  expect(screen.getByText(/130% used/)).toBeVisible()
})

it('shows the numbers of the chosen days, and that the allowance counts another month', async () => {
  const { addresses, person } = open()
  const usageSection = section('Usage')
  expect(usageSection.getByText(/^From 22 Oct to 20 Nov .*counts other days: those of November 2026\.$/)).toBeVisible()
  const tiles = [...(usageSection.getByText('Total messages').closest('dl')?.children ?? [])]
  expect(tiles.map((tile) => tile.textContent)).toEqual([
    'Total messages120',
    'Helper runs7',
    'Test messages13',
    'Estimated cost$1.2500',
  ])
  expect(usageSection.getByText(/5,000 tokens used\./)).toBeVisible()
  expect(days(ranges.at(-1))).toBe(30)
  await person.click(usageSection.getByRole('button', { name: /^90/ }))
  expect(addresses).toEqual(['?period=90d'])
  expect(usageSection.getByRole('button', { name: /^90/ })).toHaveAttribute('aria-pressed', 'true')
  expect(ranges.some((range) => days(range) === 90)).toBe(true)
})

function days(range: { start: number; end: number } | undefined) {
  return range && Math.round((range.end - range.start) / 86_400_000)
}

it('never shows an unknown cost as a known one', () => {
  const unpricedModels = [{ model: 'new-model', calls: 2 }]
  usage = { ...USAGE, totals: { ...USAGE.totals, unpricedCalls: 2 }, unpricedModels }
  open()
  expect(screen.getByText('at least $1.2500')).toBeVisible()
  expect(screen.getByText(/2 model calls without a known price are not in the cost\./)).toBeVisible()
  expect(screen.getByText(/Models without a price: new-model \(2\)\./)).toBeVisible()
})

it('relabels messages of no channel, adds the smaller channels up, and explains system messages', () => {
  open()
  const list = section('Usage').getByRole('heading', { name: 'Channels' }).parentElement
  const lines = [...(list?.querySelectorAll('li') ?? [])]
  expect(lines.map((line) => line.textContent)).toEqual(['Telegram70', 'No channel given30', 'Other channels20'])
  expect(screen.getByText(/They use up nothing of the allowance/)).toBeVisible()
})

it('walks through the days by keyboard, and says the number of each', async () => {
  const { person } = open()
  const bars = screen.getAllByRole('img', { name: /messages$/ })
  expect(bars).toHaveLength(30)
  expect(bars.filter((bar) => bar.tabIndex === 0)).toEqual([bars[29]])
  bars[29]?.focus()
  await person.keyboard('{ArrowLeft}')
  expect(bars[28]).toHaveFocus()
  expect(screen.getByText('19 Nov: 4 messages')).toBeVisible()
  await person.keyboard('{Escape}')
  expect(screen.queryByText('19 Nov: 4 messages')).toBeNull()
  await person.keyboard('{Home}{ArrowLeft}')
  expect(bars[0]).toHaveFocus()
})

it('shows the days as a table by a link, newest first', () => {
  open({ search: '?view=table' })
  const rows = screen.getAllByRole('row').map((row) => row.textContent)
  expect(rows.slice(0, 2)).toEqual(['DayMessages', '20 Nov4'])
  expect(screen.queryAllByRole('img', { name: /messages$/ })).toEqual([])
})

it('says so when there were no messages', () => {
  usage = { ...USAGE, timeline: timeline.map(({ key }) => ({ key, messages: 0 })) }
  open()
  expect(screen.getByText('There were no messages on these days')).toBeVisible()
})

it('shows what the plan holds, and what lies above one that became smaller', () => {
  open()
  const own = section('Your plan')
  expect(own.getByText('₸50,000 a month')).toBeVisible()
  expect(own.getByText('7 of 5')).toBeVisible()
  expect(own.getByText('2 more than the plan allows. Everyone stays; new members cannot be invited.')).toBeVisible()
  expect(own.getByText('1 of 3')).toBeVisible()
  expect(own.getAllByRole('listitem').map((line) => line.textContent)).toEqual(['Knowledge spaces', 'Email support'])
  const all = section('All plans')
  expect(all.getByText('Price by agreement')).toBeVisible()
  expect(all.queryByRole('button', { name: 'Request Starter' })).toBeNull()
})

it('sends the request for a plan with its note', async () => {
  const { person } = open()
  await person.click(screen.getByRole('button', { name: 'Request Pro' }))
  await person.type(screen.getByLabelText('Comment'), ' Six of us ')
  await person.click(screen.getByRole('button', { name: 'Send request' }))
  expect(called.mock.calls).toEqual([['billing:requestChange', { planSlug: 'pro', note: 'Six of us' }]])
  expect(screen.queryByRole('dialog')).toBeNull()
})

it('sends the cancellation with its reason, and stays open when it is refused', async () => {
  called.mockRejectedValueOnce(new Error('refused'))
  const { person } = open()
  await person.click(screen.getByRole('button', { name: 'Cancel plan' }))
  await person.type(screen.getByLabelText('Reason'), 'The season is over')
  await person.click(screen.getByRole('button', { name: 'Request cancellation' }))
  expect(screen.getByRole('dialog')).toBeVisible()
  await person.click(screen.getByRole('button', { name: 'Request cancellation' }))
  expect(called).toHaveBeenLastCalledWith('billing:requestCancellation', { reason: 'The season is over' })
  expect(screen.queryByRole('dialog')).toBeNull()
})

const REQUEST = {
  _id: 'r1' as Id<'planRequests'>,
  kind: 'change',
  plan: { slug: 'pro', name: 'Pro' },
  note: 'Six of us',
  requestedBy: 'Anna',
  createdAt: 0,
} as const

it('shows the open request, lets it be withdrawn, and takes no second one', async () => {
  overview = { ...OVERVIEW, request: REQUEST }
  const { person } = open()
  expect(screen.getByText('The plan Pro is requested')).toBeVisible()
  expect(screen.getByText('Comment: Six of us')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^Request/ })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Cancel plan' })).toBeNull()
  await person.click(screen.getByRole('button', { name: 'Withdraw request' }))
  expect(called.mock.calls).toEqual([['billing:withdrawRequest', {}]])
})

it.each(['builder', 'operator', 'analyst'])('lets a member who is %s only look', (role) => {
  overview = { ...OVERVIEW, request: REQUEST }
  open({ role })
  expect(screen.getByText('The plan Pro is requested')).toBeVisible()
  expect(screen.getByText('An owner or administrator can change the plan.')).toBeVisible()
  expect(screen.getByText('Ask an owner or administrator to choose another plan.')).toBeVisible()
  expect(screen.queryByRole('button', { name: /^(Request|Cancel|Withdraw)/ })).toBeNull()
})
