// What an overview of the installation makes of the days of its models.
import {
  type InstallationOverview,
  type InstallationSpend,
  type ModelSpend,
  TOP_MODELS,
} from '#shared/organizations/overview.ts'
import type { ModelDay } from './overview.read.store.ts'

const DAY_MS = 86_400_000

/** The last `days` days of the UTC calendar, today included, and as many before; the middle is where the first begin. Milliseconds. */
export function spanOf(days: number, now: number): { start: number; middle: number; end: number } {
  const end = Math.floor(now / DAY_MS) * DAY_MS + DAY_MS
  return { start: end - 2 * days * DAY_MS, middle: end - days * DAY_MS, end }
}

/** Totals, days and models of the range that begins at `middle`, and the totals of the days before it. */
export function overviewOf(
  rows: readonly ModelDay[],
  { middle, end }: { middle: number; end: number },
): Pick<InstallationOverview, 'totals' | 'before' | 'days' | 'topModels' | 'modelCount'> {
  const first = keyOf(middle)
  const within = rows.filter(({ day }) => day >= first)
  const byDay = Map.groupBy(within, ({ day }) => day)
  const keys = Array.from({ length: (end - middle) / DAY_MS }, (_, at) => keyOf(middle + at * DAY_MS))
  const models = modelsOf(within)
  return {
    totals: sumOf(within),
    before: sumOf(rows.filter(({ day }) => day < first)),
    days: keys.map((key) => ({ key, ...sumOf(byDay.get(key) ?? []) })),
    topModels: models.slice(0, TOP_MODELS),
    modelCount: models.length,
  }
}

/** The dearest first, and among those of the same cost the most used. */
function modelsOf(rows: readonly ModelDay[]): ModelSpend[] {
  const called = rows.filter(({ name }) => name !== '')
  return [...Map.groupBy(called, ({ name }) => name)]
    .map(([name, of]) => ({ name, calls: of.reduce((all, { calls }) => all + calls, 0), ...sumOf(of) }))
    .sort((a, b) => b.costMicroUsd - a.costMicroUsd || b.calls - a.calls)
}

function sumOf(rows: readonly InstallationSpend[]): InstallationSpend {
  const sum: InstallationSpend = { messages: 0, tokens: 0, costMicroUsd: 0, unpricedCalls: 0 }
  for (const row of rows) {
    sum.messages += row.messages
    sum.tokens += row.tokens
    sum.costMicroUsd += row.costMicroUsd
    sum.unpricedCalls += row.unpricedCalls
  }
  return sum
}

function keyOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
