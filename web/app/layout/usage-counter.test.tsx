// The counter of the header says in words when little is left.
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, it, vi } from 'vitest'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { PlanBadge, UsageCounter } from './usage-counter.tsx'

let overview: Partial<UsageOverview> | undefined
vi.mock('#web/lib/use-usage-overview.ts', () => ({ useUsageOverview: () => overview }))
vi.mock('#web/lib/sign-in/current-user.tsx', () => ({ useOrganization: () => ({ plan: 'starter' }) }))

beforeAll(() => startI18n('en'))

function show(status: UsageOverview['thresholds']['status'], remaining: number): string | null {
  const totals = { messages: 0, tokens: 0, cost: 0, unpricedCalls: 0, remaining, percentage: 0 }
  overview = { period: { key: '2026-11', messages: 100 - remaining }, totals, thresholds: { status } }
  render(
    <MemoryRouter>
      <TooltipProvider>
        <UsageCounter isCompact />
      </TooltipProvider>
    </MemoryRouter>,
  )
  return screen.getByText(/^Messages this month/).parentElement?.textContent ?? null
}

it.each([
  ['ok', 60, 'Messages this month: 40·60 left'],
  ['warning', 15, 'Messages this month: 85·15 left· running low'],
  ['critical', 3, 'Messages this month: 97·3 left· almost used up'],
  ['critical', 0, 'Messages this month: 100·0 left· used up'],
] as const)('when it is %s with %i left', (status, remaining, text) => {
  expect(show(status, remaining)).toBe(text)
})

it('leads to the plan', () => {
  show('ok', 60)
  expect(screen.getByRole('link', { name: /^Messages this month/ })).toHaveAttribute('href', '/settings/plan')
})

it.each([
  [{ slug: 'pro', name: 'Professional', allowance: 10 }, 'Plan: Professional'],
  [{ slug: 'parking', name: 'Parking', allowance: 10 }, 'Plan: Parking'],
  [{ slug: null, name: 'Parking', allowance: null }, 'Plan: Parking · no plan'],
  [undefined, 'Plan: starter'],
] as const)('names the plan %j in words', (plan, text) => {
  overview = plan && { plan }
  const { container } = render(<PlanBadge />)
  expect(container.textContent).toBe(text)
})
