// What the charts of one page are asked with, and the ways to the conversations behind their numbers.
import { createContext, use } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { AnalyticsFilters, AnalyticsInterval, AnalyticsRange, BreakdownBy } from '#shared/analytics/analytics.ts'
import { behind, behindRow, type Measured } from '#shared/analytics/links.ts'
import { inboxAddress } from '#web/lib/inbox-address.ts'

type Asked = {
  range: AnalyticsRange
  interval: AnalyticsInterval
  filters: AnalyticsFilters
  /** By whose slugs the inbox names agents. */
  agents: readonly AgentSummary[]
}

/** Set by the page. */
export const AnalyticsContext = createContext<Asked | null>(null)

/** What the page asks with. */
export function useAsked(): Asked {
  const asked = use(AnalyticsContext)
  if (!asked) throw new Error('Charts of analytics stand in an AnalyticsContext')
  return asked
}

type Period = { start: number; end: number }

/** Addresses of the inbox with exactly the conversations behind a number: of the whole period, or of a row of a breakdown. */
export function useBehind() {
  const { filters, agents } = useAsked()
  return {
    ofPeriod: (what: Measured, period: Period) => inboxAddress(behind(what, period, filters), agents),
    ofRow: (by: BreakdownBy, key: string | null, what: Exclude<Measured, 'written'>, period: Period) =>
      inboxAddress(behindRow({ by, key }, what, period, filters), agents),
  }
}
