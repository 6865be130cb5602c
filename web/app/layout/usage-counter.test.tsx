// The counter of the header says in words when little is left.
import { render, screen } from '@testing-library/react'
import { beforeAll, expect, it, vi } from 'vitest'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { TooltipProvider } from '#web/components/ui/tooltip.tsx'
import { startI18n } from '#web/lib/i18n.ts'
import { UsageCounter } from './usage-counter.tsx'

let overview: Pick<UsageOverview, 'period' | 'totals' | 'thresholds'>
vi.mock('#web/lib/use-usage-overview.ts', () => ({ useUsageOverview: () => overview }))

beforeAll(() => startI18n('en'))

function show(status: UsageOverview['thresholds']['status'], remaining: number): string | null {
  const totals = { messages: 0, tokens: 0, cost: 0, unpricedCalls: 0, remaining, percentage: 0 }
  overview = { period: { key: '2026-11', messages: 100 - remaining }, totals, thresholds: { status } }
  render(
    <TooltipProvider>
      <UsageCounter isCompact />
    </TooltipProvider>,
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
