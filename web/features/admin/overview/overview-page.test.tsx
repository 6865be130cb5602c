// The overview: its numbers lead on, its bars have a table, and what is unknown is called so.
import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { NuqsAdapter } from 'nuqs/adapters/react-router/v7'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { InstallationOverview } from '#shared/organizations/overview.ts'
import { expectAccessible } from '#tests/accessible.ts'
import { fakeConvex } from '#tests/fakes/convex-hooks.ts'
import { currentLanguage, loadTexts, setLanguage, startI18n } from '#web/lib/i18n.ts'
import { OverviewPage } from './overview-page.tsx'

const SPEND = { messages: 40, tokens: 9_000, costMicroUsd: 2_500_000, unpricedCalls: 0 }
const NONE = { messages: 0, tokens: 0, costMicroUsd: 0, unpricedCalls: 0 }
const OVERVIEW: InstallationOverview = {
  totals: SPEND,
  before: { ...SPEND, costMicroUsd: 5_000_000 },
  organizations: { count: 12, fresh: 2, freshBefore: 1, active: 7 },
  members: { count: 30, fresh: 0, freshBefore: 0 },
  days: [
    { key: '2026-11-01', ...NONE },
    { key: '2026-11-02', ...SPEND },
  ],
  topOrganizations: [{ _id: 'organization1' as Id<'organizations'>, name: 'Tea shop', plan: 'pro', ...SPEND }],
  topModels: [{ name: 'openai/gpt-5', calls: 40, ...SPEND }],
  modelCount: 1,
}
const server = vi.hoisted(() => ({ overview: null as unknown, asked: [] as unknown[] }))
fakeConvex(() => ({
  useQuery: (_query: unknown, args: unknown) => {
    server.asked.push(args)
    return server.overview
  },
}))

beforeAll(async () => {
  await startI18n('en')
  await loadTexts('admin')
})
beforeEach(async () => {
  if (currentLanguage() !== 'en') await setLanguage('en')
  Object.assign(server, { overview: OVERVIEW, asked: [] })
})

function show(): void {
  const element = (
    <NuqsAdapter>
      <OverviewPage />
    </NuqsAdapter>
  )
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/admin/overview'] })
  render(<RouterProvider router={router} />)
}

it('leads on from every number', async () => {
  show()
  const addresses = (name: RegExp) => screen.getByRole('link', { name }).getAttribute('href')
  expect(addresses(/^Spend on models: \$2\.50/)).toContain('#models')
  expect(addresses(/^Organizations: 12/)).toBe('/admin/organizations')
  expect(addresses(/^Members: 30/)).toBe('/admin/members')
  expect(addresses(/^Tea shop$/)).toBe('/admin/organizations/organization1')
  expect(screen.getByText(/50% less than in the days before/)).toBeVisible()
  await expectAccessible()
})

it('shows days as bars and as a table, of what is chosen', async () => {
  show()
  await userEvent.click(screen.getByRole('button', { name: 'Messages' }))
  expect(screen.getByRole('img', { name: /40 · Messages/ })).toBeVisible()
  await userEvent.click(screen.getByRole('button', { name: 'Show as table' }))
  expect(screen.getByRole('table')).toHaveTextContent('9,000')
  await userEvent.click(screen.getByRole('button', { name: '7 days' }))
  expect(server.asked.at(-1)).toEqual({ range: '7d' })
  await expectAccessible()
})

it('calls a cost that is not known whole so, and an empty time empty', async () => {
  await setLanguage('ru')
  server.overview = { ...OVERVIEW, totals: { ...SPEND, unpricedCalls: 3 } }
  show()
  expect(screen.getByRole('link', { name: /Не меньше/ })).toBeVisible()
  expect(screen.getByText(/Без 3 вызовов с неизвестной ценой/)).toBeVisible()
})

it('says that nothing was used', async () => {
  server.overview = {
    ...OVERVIEW,
    ...{ totals: NONE, before: NONE, days: [{ key: '2026-11-02', ...NONE }], topOrganizations: [], topModels: [] },
  }
  show()
  expect(screen.getAllByText('Nothing was used in these days')).toHaveLength(3)
  await expectAccessible()
})
