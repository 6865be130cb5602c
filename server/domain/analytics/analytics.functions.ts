// Analytics of conversations, and events that the interface reports.
import type * as z from 'zod/mini'
import { getPlan } from '#server/domain/billing/billing.store.ts'
import { listSums } from '#server/domain/billing/sums.ts'
import type { OrgQueryContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  type AnalyticsBreakdown,
  type AnalyticsChart,
  type AnalyticsFile,
  type AnalyticsOverview,
  analyticsBreakdownInput,
  analyticsExportInput,
  analyticsOverviewInput,
  BREAKDOWN_ROWS_MAX,
} from '#shared/analytics/analytics.ts'
import { slugFallbackInput } from '#shared/organizations/analytics.ts'
import * as store from './analytics.store.ts'
import { listBegun, measure, measureRows } from './begun.store.ts'
import { listBreakdown } from './breakdowns.store.ts'
import { breakdownCsv, figuresCsv, timelineCsv } from './csv.rules.ts'
import { readBars } from './figures.store.ts'
import { daysBefore, daysOf, edgesOf, firstDaysOf, periodOf } from './ranges.rules.ts'
import { spendOf } from './spend.rules.ts'
import { addWritten, listWritten } from './written.store.ts'

/** Live screens of busy organizations are computed again this seldom. */
const REST_MS = 1000

/**
 * The numbers of a range of local days, of as many days before, and the bars between them.
 * @throws invalid_range, range_too_long, too_many_bars
 */
export const overview = orgQuery({
  args: analyticsOverviewInput,
  restMs: REST_MS,
  handler: (ctx, asked) => readOverview(ctx, asked),
})

/**
 * The conversations begun in a range, counted by one thing.
 * @throws invalid_range, range_too_long
 */
export const breakdown = orgQuery({
  args: analyticsBreakdownInput,
  restMs: REST_MS,
  handler: (ctx, asked) => readBreakdown(ctx, asked),
})

/**
 * A chart as a file for spreadsheets, with its filters.
 * @throws invalid_range, range_too_long, too_many_bars
 */
const exportChart = orgQuery({
  args: analyticsExportInput,
  restMs: REST_MS,
  handler: async (ctx, { chart, language, ...asked }): Promise<AnalyticsFile> => {
    if (chart === 'figures' || chart === 'timeline') {
      const overview = await readOverview(ctx, asked)
      const csv = (chart === 'figures' ? figuresCsv : timelineCsv)(overview, language)
      return { name: nameOf(chart, overview.range), csv }
    }
    const { rows, range } = await readBreakdown(ctx, { ...asked, by: chart })
    return { name: nameOf(chart, range), csv: breakdownCsv(chart, rows, language) }
  },
})

export { exportChart as export }

/** Records that an id stood in a URL where a slug was expected. */
export const recordSlugFallback = orgMutation({
  args: slugFallbackInput,
  handler: async (ctx, event) => {
    await store.insertEvent(ctx, 'slug_fallback', event, ctx.now)
  },
})

type AskedOverview = z.infer<typeof analyticsOverviewInput>
type AskedBreakdown = z.infer<typeof analyticsBreakdownInput>

async function readOverview(
  ctx: OrgQueryContext,
  { range, interval, filters = {} }: AskedOverview,
): Promise<AnalyticsOverview> {
  const { timeZone } = await getPlan(ctx)
  const days = daysOf(range, timeZone, Date.now())
  const [period, earlier] = [periodOf(days), daysBefore(days)]
  const before = periodOf(earlier)
  const rows = await listBegun(ctx, days, filters)
  const firstDays = interval === 'hour' ? null : firstDaysOf(days, interval)
  const asked = { edges: edgesOf(days, interval), firstDays, days: period, rows }
  const { bars, written } = await readBars(ctx, asked, filters)
  const writtenBefore = await listWritten(ctx, before, filters)
  return {
    timeZone,
    range: period,
    before,
    bars,
    figures: { ...(await measureRows(ctx, { days, filters, rows })), messages: written },
    figuresBefore: { ...(await measure(ctx, earlier, filters)), messages: addWritten(writtenBefore) },
    spend: spendOf(await listSums(ctx, days, timeZone)),
  }
}

async function readBreakdown(
  ctx: OrgQueryContext,
  { by, range, filters = {} }: AskedBreakdown,
): Promise<AnalyticsBreakdown> {
  const { timeZone } = await getPlan(ctx)
  const period = periodOf(daysOf(range, timeZone, Date.now()))
  const rows = await listBreakdown(ctx, { by, period, filters, timeZone })
  const most = by === 'tag' || by === 'question' ? BREAKDOWN_ROWS_MAX : rows.length
  return { range: period, rows: rows.slice(0, most), isMore: rows.length > most }
}

function nameOf(chart: AnalyticsChart, { from, to }: AnalyticsOverview['range']): string {
  return `parley-${chart}-${from}-${to}.csv`
}
