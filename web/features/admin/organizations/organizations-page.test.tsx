// The organizations of the installation on the screen: found, given another plan and limit in place, suspended and resumed, each alone.
import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { NuqsTestingAdapter } from 'nuqs/adapters/testing'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError, type ErrorCode } from '#shared/errors.ts'
import type { AdminOrganization, AdminOrganizationDetails } from '#shared/organizations/admin.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { AdminOrganizationPage } from './organization-page.tsx'
import { OrganizationsPage } from './organizations-page.tsx'

type Reference = Parameters<typeof getFunctionName>[0]

const server = vi.hoisted(() => ({
  organizations: [] as unknown[],
  details: undefined as unknown,
  asked: [] as unknown[],
  calls: vi.fn((_name: string, _args: unknown) => Promise.resolve(null)),
  loadMore: vi.fn(),
  status: 'Exhausted',
}))
const PLANS = [
  { slug: 'starter', name: 'Starter', isArchived: false },
  { slug: 'pro', name: 'Pro', isArchived: false },
  { slug: 'old', name: 'Old', isArchived: true },
]
fakeConvex(() => ({
  useQuery: (query: Reference) => {
    const name = getFunctionName(query)
    if (name === 'admin/support:list') return []
    return name.endsWith(':plans') ? PLANS : server.details
  },
  usePaginatedQuery: (_query: Reference, args: unknown) => {
    server.asked.push(args)
    return { results: server.organizations, status: server.status, loadMore: server.loadMore }
  },
  useMutation: (mutation: Reference) => (args: unknown) => server.calls(getFunctionName(mutation), args),
}))

const TEA: AdminOrganization = {
  _id: 'tea' as AdminOrganization['_id'],
  name: 'Tea shop',
  plan: { slug: 'starter', name: 'Starter' },
  monthlyLimit: null,
  allowance: 1000,
  owner: { _id: 'olga' as never, name: 'Olga', email: 'olga@example.com' },
  members: 3,
  messages: 1200,
  lastActiveAt: null,
  suspendedAt: null,
  suspendedReason: null,
  createdAt: 0,
}
const HOTEL: AdminOrganization = {
  ...TEA,
  ...{ _id: 'hotel' as never, name: 'Hotel', plan: null, monthlyLimit: 50, allowance: 50, messages: 5 },
  ...{ suspendedAt: Date.UTC(2026, 1, 3), suspendedReason: 'Unpaid', lastActiveAt: Date.now() },
}
const DETAILS: AdminOrganizationDetails = {
  ...HOTEL,
  timeZone: 'Asia/Almaty',
  supportEmail: 'help@example.com',
  agents: 2,
  months: [
    { month: '2026-02', messages: 1234, tokens: 5678, costUsd: 1.5, unpricedCalls: 0 },
    { month: '2026-01', messages: 1, tokens: 2, costUsd: 0.5, unpricedCalls: 3 },
  ],
  connections: [
    {
      ...{ _id: 'c1' as never, channel: 'telegram', identifier: '@tea_bot', status: 'error' },
      ...{ error: 'Unauthorized', lastInboundAt: null },
    },
    {
      ...{ _id: 'c2' as never, channel: 'vk', identifier: 'Tea', status: 'connected' },
      ...{ error: 'Timed out', lastInboundAt: Date.now() },
    },
  ],
  failures: [
    { _id: 'f1' as never, at: Date.UTC(2026, 1, 2), kind: 'turn', channel: 'telegram', reason: 'gave_up' },
    { _id: 'f2' as never, at: Date.UTC(2026, 1, 1), kind: 'delivery', channel: 'vk', reason: 'blocked: 403 Forbidden' },
  ],
}

beforeAll(async () => {
  window.matchMedia ??= () => ({ matches: false, addEventListener() {} }) as never
  await startI18n('en')
  await loadTexts('admin', 'channels', 'conversations')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, { organizations: [TEA, HOTEL], details: DETAILS, asked: [], status: 'Exhausted' })
  server.calls.mockReset().mockResolvedValue(null)
})

function show(path = '/admin/organizations', search = ''): void {
  const router = createMemoryRouter(
    [
      { path: '/admin/organizations', element: <OrganizationsPage /> },
      { path: '/admin/organizations/:organizationId', element: <AdminOrganizationPage /> },
    ],
    { initialEntries: [path] },
  )
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <TooltipProvider>
        <RouterProvider router={router} />
        <Toaster />
      </TooltipProvider>
    </NuqsTestingAdapter>,
  )
}

const row = (name: string) => screen.getByRole('link', { name }).closest('tr') as HTMLElement
const limitOf = (name: string) => screen.getByRole('textbox', { name: `Monthly limit: ${name}` })
async function act(name: string, item: string) {
  await userEvent.click(screen.getByRole('button', { name: `Actions: ${name}` }))
  await userEvent.click(await screen.findByRole('menuitem', { name: item }))
}
const refuse = (code: ErrorCode) => server.calls.mockRejectedValue(new AppError(code))

describe('the list', () => {
  it('shows how each organization stands', async () => {
    show()
    expect(row('Tea shop')).toHaveTextContent(/Olga · olga@example.com/)
    expect(row('Tea shop')).toHaveTextContent(/1,200of 1,000/)
    expect(row('Tea shop')).toHaveTextContent('never')
    expect(limitOf('Tea shop')).toHaveAttribute('placeholder', '1,000 by plan')
    expect(row('Hotel')).toHaveTextContent(/Suspended.*Unpaid/)
    expect(limitOf('Hotel')).toHaveValue('50')
    await expectAccessible()
  })

  it('asks for what the address says, and for another order', async () => {
    show(undefined, '?search=tea&sort=members')
    expect(server.asked.at(-1)).toEqual({ search: 'tea', sort: 'members' })
    await userEvent.click(screen.getByRole('combobox', { name: 'Order' }))
    await userEvent.click(await screen.findByRole('option', { name: 'Most messages first' }))
    expect(server.asked.at(-1)).toEqual({ search: 'tea', sort: 'messages' })
  })

  it('goes on by pages', async () => {
    server.status = 'CanLoadMore'
    show()
    await userEvent.click(screen.getByRole('button', { name: 'Show more' }))
    expect(server.loadMore).toHaveBeenCalledWith(25)
  })

  it('has words when nothing is found, and the way to everything', async () => {
    server.organizations = []
    show(undefined, '?search=nothing')
    expect(screen.getByRole('heading', { name: 'No organization found' })).toBeVisible()
    await expectAccessible()
    await userEvent.click(screen.getByRole('button', { name: 'Show all' }))
    expect(await screen.findByRole('heading', { name: 'There are no organizations yet' })).toBeVisible()
  })
})

describe('the plan', () => {
  it('is changed in its place, and stands there at once', async () => {
    show()
    const plan = screen.getByRole('combobox', { name: 'Plan: Tea shop' })
    await userEvent.click(plan)
    expect(screen.queryByRole('option', { name: /Old/ })).not.toBeInTheDocument()
    await userEvent.click(await screen.findByRole('option', { name: 'Pro' }))
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:setPlan', { organizationId: 'tea', planSlug: 'pro' })
    expect(plan).toHaveTextContent('Pro')
  })

  it('is what it was when that is refused', async () => {
    refuse('plan_not_found')
    show()
    const plan = screen.getByRole('combobox', { name: 'Plan: Tea shop' })
    await userEvent.click(plan)
    await userEvent.click(await screen.findByRole('option', { name: 'No plan' }))
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:setPlan', { organizationId: 'tea', planSlug: null })
    await vi.waitFor(() => expect(plan).toHaveTextContent('Starter'))
  })
})

describe('the monthly limit', () => {
  it('is saved by Enter, and taken away by an empty field', async () => {
    show()
    await userEvent.type(limitOf('Tea shop'), '7 500{Enter}')
    const saved = { organizationId: 'tea', monthlyLimit: 7500 }
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:setMonthlyLimit', saved)
    await userEvent.tab()
    await vi.waitFor(() => expect(limitOf('Tea shop')).toHaveValue('7,500'))
    await userEvent.clear(limitOf('Hotel'))
    await userEvent.click(screen.getByRole('button', { name: 'Save the limit: Hotel' }))
    const cleared = { organizationId: 'hotel', monthlyLimit: null }
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:setMonthlyLimit', cleared)
  })

  it('can be taken back before it is saved', async () => {
    show()
    await userEvent.type(limitOf('Hotel'), '9{Escape}')
    expect(limitOf('Hotel')).toHaveValue('50')
    expect(screen.queryByRole('button', { name: 'Save the limit: Hotel' })).not.toBeInTheDocument()
  })

  it.each(['many', '-1', '1.5', '2000000001'])('is not saved as %s, in words at the field', async (text) => {
    show()
    await userEvent.clear(limitOf('Hotel'))
    await userEvent.type(limitOf('Hotel'), `${text}{Enter}`)
    expect(screen.getByRole('alert')).toHaveTextContent(/^Invalid limit\. Enter a whole number of messages/)
    expect(limitOf('Hotel')).toBeInvalid()
    expect(server.calls).not.toHaveBeenCalled()
    await expectAccessible()
  })
})

describe.each(['en', 'ru'] as const)('what the server refuses, in %s', (language) => {
  beforeEach(async () => {
    await setLanguage(language)
    await loadTexts('admin', 'channels', 'conversations')
  })

  it.each(['invalid_limit', 'not_found'] as const)('%s stands at the limit', async (code) => {
    refuse(code)
    show()
    const name = language === 'en' ? 'Monthly limit: Tea shop' : 'Лимит в месяц: Tea shop'
    await userEvent.type(screen.getByRole('textbox', { name }), '5{Enter}')
    expect(await screen.findByRole('alert')).toHaveTextContent(describeCode(code))
  })

  it.each(['own_admin_access', 'not_found'] as const)('%s stands in the window of a suspension', async (code) => {
    refuse(code)
    show()
    const words =
      language === 'en'
        ? { acts: 'Actions: Tea shop', suspend: 'Suspend', empty: /Enter a reason of at most 500 characters/ }
        : { acts: 'Действия: Tea shop', suspend: 'Приостановить', empty: /Укажите причину, не больше 500\sсимволов/ }
    await userEvent.click(screen.getByRole('button', { name: words.acts }))
    await userEvent.click(await screen.findByRole('menuitem', { name: words.suspend }))
    const window = within(await screen.findByRole('dialog'))
    await userEvent.click(window.getByRole('button', { name: words.suspend }))
    expect(await window.findByText(words.empty)).toBeVisible()
    expect(server.calls).not.toHaveBeenCalled()
    await userEvent.type(window.getByRole('textbox'), 'Unpaid')
    await userEvent.click(window.getByRole('button', { name: words.suspend }))
    expect(await window.findByRole('alert')).toHaveTextContent(describeCode(code))
    await expectAccessible()
  })
})

describe('a suspension', () => {
  it('is put on with a reason', async () => {
    show()
    await act('Tea shop', 'Suspend')
    const window = within(await screen.findByRole('dialog', { name: 'Suspend “Tea shop”?' }))
    await userEvent.type(window.getByRole('textbox', { name: 'Reason' }), ' Unpaid ')
    await userEvent.click(window.getByRole('button', { name: 'Suspend' }))
    const asked = { organizationId: 'tea', reason: 'Unpaid' }
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:suspend', asked)
    await vi.waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())
  })

  it('is taken off after a question', async () => {
    show()
    await act('Hotel', 'Resume')
    const question = within(await screen.findByRole('alertdialog'))
    await userEvent.click(question.getByRole('button', { name: 'Resume' }))
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:resume', { organizationId: 'hotel' })
  })
})

describe('the page of one', () => {
  it('shows use, channels and failures in words', async () => {
    show('/admin/organizations/hotel')
    expect(screen.getByText(/^Suspended since/)).toBeVisible()
    expect(screen.getByText('Reason: Unpaid')).toBeVisible()
    expect(screen.getByRole('link', { name: '3 members' })).toHaveAttribute('href', '/admin/members?search=Hotel')
    const audit = screen.getByRole('link', { name: 'Audit entries' })
    expect(audit).toHaveAttribute('href', '/admin/audit?organization=hotel&range=all')
    const rows = screen.getAllByRole('row').map((each) => each.textContent)
    expect(rows[1]).toMatch(/February 20261,2345,678\$1\.50/)
    expect(rows[2]).toMatch(/at least \$0\.50/)
    expect(screen.getByText('@tea_bot').closest('li')).toHaveTextContent(/Needs attention.*Unauthorized/)
    expect(screen.getByText('Timed out').closest('li')).toHaveTextContent('Connection failing')
    expect(screen.getByText(/^Answer failed/).closest('li')).toHaveTextContent('Telegram')
    expect(screen.getByText('403 Forbidden')).toBeVisible()
    await expectAccessible()
  })

  it('says where there is nothing', async () => {
    server.details = { ...DETAILS, months: [], connections: [], failures: [], supportEmail: null }
    show('/admin/organizations/hotel')
    for (const words of ['Nothing has been used yet.', 'No channel is connected.', 'No failures'])
      expect(screen.getByText(words)).toBeVisible()
    await expectAccessible()
  })

  it('suspends and resumes, too', async () => {
    show('/admin/organizations/hotel')
    await userEvent.click(screen.getByRole('button', { name: 'Resume' }))
    const question = within(await screen.findByRole('alertdialog'))
    await userEvent.click(question.getByRole('button', { name: 'Resume' }))
    expect(server.calls).toHaveBeenCalledWith('admin/organizations:resume', { organizationId: 'hotel' })
  })
})
