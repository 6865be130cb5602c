// The form of the organization sends what was changed, and explains what cannot be saved.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { getFunctionName } from 'convex/server'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { EXTRACTIVE_MODEL, type ModelInfo } from '#shared/agents/models.ts'
import type { Id } from '#shared/ids.ts'
import type { MonthSpend } from '#shared/organizations/billing.ts'
import type { CurrentUser, Organization, OrganizationSettings } from '#shared/organizations/organizations.ts'
import { loadTexts, startI18n } from '#web/lib/i18n.ts'
import { CurrentUserProvider } from '#web/lib/sign-in/current-user.tsx'
import { OrganizationPage } from './organization-page.tsx'

const update = vi.hoisted(() => vi.fn<(call: { patch: Partial<OrganizationSettings> }) => Promise<Organization>>())
vi.mock('#web/lib/server/convex.ts', async (original) => ({
  ...(await original<typeof import('#web/lib/server/convex.ts')>()),
  useMutation: () => update,
  useQuery: (reference: Parameters<typeof getFunctionName>[0]) => results()[getFunctionName(reference)],
}))

const results = (): Record<string, unknown> => ({
  'models:list': models,
  'billing:getMonthSpend': month,
  'organizations:members': [{ _id: 'u1', name: 'Anna', avatar: null, jobTitle: '' }],
  'billing:getOrganizationUsageOverview': {
    plan: { slug: 'starter', name: 'Starter', allowance: 1500 },
    period: { key: '2026-03', messages: 1234 },
  },
})
const line = { tokens: 1000, unpricedCalls: 0, isDeleted: false, limitUsd: null }
const month: MonthSpend = {
  total: { messages: 12, tokens: 3000, costUsd: 4.5, unpricedCalls: 2 },
  limitUsd: 5,
  agents: [
    { ...line, agentId: 'a1' as Id<'agents'>, name: 'Shop', messages: 9, costUsd: 4.5, limitUsd: 8 },
    { ...line, agentId: 'a2' as Id<'agents'>, name: 'Old', messages: 3, costUsd: 0, unpricedCalls: 2, isDeleted: true },
    { ...line, agentId: null, name: '', messages: 0, costUsd: 0.00001 },
  ],
}

const priced = { hasTemperature: true, isConfigured: true, inputUsdPerMillion: 1, outputUsdPerMillion: 2 }
const models: ModelInfo[] = [
  { ...priced, name: 'openai/small', label: 'Small', provider: 'openai' },
  { ...priced, name: EXTRACTIVE_MODEL, label: 'Built in', provider: 'parley' },
]

const organization: Organization = {
  _id: 'o1' as Id<'organizations'>,
  name: 'Corner Café',
  displayName: null,
  logoUrl: null,
  supportEmail: null,
  plan: null,
  monthlyLimit: null,
  ownerId: 'u1' as Id<'users'>,
  timeZone: 'UTC',
  atLimit: 'stop',
  limitText: '',
  monthlySpendLimitUsd: null,
  unattendedAfterSeconds: null,
  unattendedText: '',
  helperModel: '',
  requiresTwoStep: false,
  signOutAfterMinutes: null,
  createdAt: 0,
}
const user: CurrentUser = {
  _id: organization.ownerId,
  email: 'a@b.example',
  isEmailVerified: true,
  name: 'Anna',
  avatar: null,
  jobTitle: '',
  bio: '',
  language: '',
  timeZone: '',
  role: 'user',
  organizationId: organization._id,
  organizationRole: 'owner',
  plan: 'starter',
  organization,
  twoStepRequired: false,
  suspended: null,
  supportAccesses: [],
  removedOrganization: null,
}

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('settings')
  await loadTexts('security')
})
beforeEach(() => {
  update.mockReset().mockImplementation(async ({ patch }) => ({ ...organization, ...patch }))
  const router = createMemoryRouter([{ path: '*', element: <OrganizationPage /> }])
  render(
    <CurrentUserProvider user={user}>
      <RouterProvider router={router} />
    </CurrentUserProvider>,
  )
})

it('sends only what was changed', async () => {
  const person = userEvent.setup()
  expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
  await person.click(screen.getByRole('radio', { name: /^Call a person/ }))
  await person.type(screen.getByLabelText(/^Monthly spending limit/), '12.5')
  await person.clear(screen.getByLabelText('Time zone'))
  await person.type(screen.getByLabelText('Time zone'), 'Asia/Almaty')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(update.mock.calls).toEqual([
    [{ patch: { atLimit: 'handoff', monthlySpendLimitUsd: 12.5, timeZone: 'Asia/Almaty' } }],
  ])
})

it('shows next to each field what is wrong with it, and sends nothing', async () => {
  const person = userEvent.setup()
  await person.clear(screen.getByLabelText('Organization name'))
  await person.type(screen.getByLabelText('Organization name'), 'ab')
  await person.type(screen.getByLabelText('Support email'), 'nobody')
  await person.type(screen.getByLabelText('Time zone'), '+5')
  await person.type(screen.getByLabelText(/^Monthly spending limit/), '-1')
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByLabelText('Organization name')).toHaveAccessibleDescription(/3 to 100/)
  expect(screen.getByLabelText('Support email')).toHaveAccessibleDescription(/support@example/)
  expect(screen.getByLabelText('Time zone')).toHaveAccessibleDescription(/no such time zone/)
  expect(screen.getByLabelText(/^Monthly spending limit/)).toHaveAccessibleDescription(/above zero/)
  expect(update).not.toHaveBeenCalled()
})

it('shows the spending against the limit, and per agent', () => {
  expect(screen.getByText('Spent this month: at least $4.5000 of $5.00')).toBeVisible()
  expect(screen.getByText(/^Close to the limit: 90% is spent\. 2 calls have no known price/)).toBeVisible()
  const rows = screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))
  expect(rows.slice(1)).toEqual([
    ['Shop', '9', '1,000', '$4.5000of $8.00'],
    ['Old (deleted)', '3', '1,000', 'unknownand 2 calls without a price'],
    ['No agentFor example, preparing knowledge for search.', '0', '1,000', '<\u00a0$0.0001'],
    ['Total', '12', '3,000', '$4.5000of $5.00and 2 calls without a price'],
  ])
})

it('selects the model of the helper among text models', async () => {
  const person = userEvent.setup()
  const select = screen.getByRole('combobox', { name: 'Model' })
  expect(select).toHaveTextContent('Each agent’s own model')
  await person.click(select)
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual(['Each agent’s own model', 'Small'])
  await person.click(screen.getByRole('option', { name: 'Small' }))
  await person.click(screen.getByRole('button', { name: 'Save' }))
  expect(update).toHaveBeenCalledExactlyOnceWith({ patch: { helperModel: 'openai/small' } })
})

it('shows plan, allowance, use, owner and age as facts', () => {
  const facts = [...document.querySelectorAll('dl > div')].map((fact) =>
    [...fact.children].map((part) => part.textContent?.replace(/^AAnna$/, 'Anna')),
  )
  expect(facts).toEqual([
    ['Plan', 'Starter'],
    ['Messages a month', '1,500'],
    ['Used this month', '1,234'],
    ['Owner', 'Anna'],
    ['Created', '1 Jan 1970'],
  ])
})
