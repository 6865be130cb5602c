// Whether a tester is about to run out of the plan's messages.
import type { UsageOverview } from '#shared/billing.ts'

/** What is left of an allowance that is nearly used up, and the day on which it begins anew, `YYYY-MM-DD`. */
export type NearLimit = { remaining: number; resetsOn: string }

/** Null while there is enough, or no limit. */
export function nearLimit({
  totals,
  thresholds,
  period,
}: Pick<UsageOverview, 'totals' | 'thresholds' | 'period'>): NearLimit | null {
  if (totals.remaining === null || thresholds.status === 'ok') return null
  return { remaining: Math.max(0, totals.remaining), resetsOn: nextMonth(period.key) }
}

function nextMonth(key: string): string {
  const [year = 0, month = 1] = key.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
