// The weekly summary: the numbers of the week that has ended, for members who want them.
import { measure } from '#server/domain/analytics/begun.store.ts'
import { daysBefore, daysOf } from '#server/domain/analytics/ranges.rules.ts'
import type { Services } from '#server/functions/services.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import type { WeekSummary } from '#shared/organizations/alerts.ts'
import { type DueSummary, insertSummaries, listDueSummaries } from './summaries.store.ts'

const DAY_MS = 86_400_000
const READ = { isolation: 'repeatable read', readOnly: true } as const
const WRITE = { isolation: 'read committed' } as const

/**
 * Alerts everybody who is due a summary. Safe to repeat, and by several servers at once: one a week for each of them. An organization whose
 * numbers cannot be read holds up no other, and those that `signal` cuts off are due the next time.
 * @throws AggregateError when some could not be read
 */
export async function raiseSummaries(
  database: Services['database'],
  signal: AbortSignal,
  now = new Date(),
): Promise<void> {
  const due = await database.system('alerts: due summaries', (db) => listDueSummaries({ db }, now), READ)
  const run = (each: DueSummary) => raiseSummary(database, each, now)
  const failures = await runAtOnce(due, { atOnce: 1, signal, run })
  if (failures.length > 0) throw new AggregateError(failures, 'some summaries were not made')
}

async function raiseSummary(database: Services['database'], due: DueSummary, now: Date): Promise<void> {
  const range = weekOf(due.week)
  const summary = await summarize(database, due, range, now)
  const details = { event: null, name: `${range.from} – ${range.to}`, by: null, slug: null, summary }
  await database.system('alerts: summaries', (db) => insertSummaries({ db }, due, details), WRITE)
}

async function summarize(
  database: Services['database'],
  { organizationId, timeZone }: DueSummary,
  range: { from: string; to: string },
  now: Date,
): Promise<WeekSummary> {
  const days = daysOf(range, timeZone, now.getTime())
  const [week, before] = await database.organization(
    organizationId,
    async (db) => {
      const ctx = { db, organizationId }
      return [await measure(ctx, days, {}), await measure(ctx, daysBefore(days), {})] as const
    },
    READ,
  )
  return {
    conversations: week.conversations,
    before: before.conversations,
    resolved: week.resolved,
    handedOff: week.handedOff,
    unanswered: week.unanswered,
    firstResponseMs: week.firstResponse.medianMs,
    rating: week.ratings.average,
    costMicroUsd: week.cost.microUsd,
    unpricedCalls: week.cost.unpricedCalls,
  }
}

/** From a Monday to its Sunday. */
function weekOf(monday: string): { from: string; to: string } {
  return { from: monday, to: new Date(Date.parse(`${monday}T00:00Z`) + 6 * DAY_MS).toISOString().slice(0, 10) }
}
