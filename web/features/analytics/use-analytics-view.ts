// What the analytics page shows, kept in its address: the days, the interval, the filters, and which charts are shown as tables.
import { createParser, parseAsArrayOf, parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import type { AgentSummary } from '#shared/agents/agents.ts'
import {
  ANALYTICS_CHARTS,
  ANALYTICS_DAYS,
  ANALYTICS_INTERVALS,
  type AnalyticsFilters,
  type AnalyticsInterval,
  type AnalyticsRange,
} from '#shared/analytics/analytics.ts'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { dayCount, intervalFor, isDay } from './ranges.rules.ts'

const parseAsDays = createParser({
  parse: (text) => ANALYTICS_DAYS.find((days) => `${days}d` === text) ?? null,
  serialize: (days: (typeof ANALYTICS_DAYS)[number]) => `${days}d`,
})
const parseAsDay = createParser({ parse: (text) => (isDay(text) ? text : null), serialize: (day: string) => day })

const parsers = {
  range: parseAsDays.withDefault(30),
  from: parseAsDay,
  to: parseAsDay,
  interval: parseAsStringLiteral(ANALYTICS_INTERVALS),
  agent: parseAsString,
  channel: parseAsStringLiteral(CHANNEL_NAMES),
  assignee: parseAsString,
  tag: parseAsString,
  table: parseAsArrayOf(parseAsStringLiteral([...ANALYTICS_CHARTS, 'messages'])).withDefault([]),
}

/** The view in the address, and its setter. `agent` is a slug, or the id of an agent that is gone; `assignee` an id or `nobody`. */
export function useAnalyticsView() {
  return useQueryStates(parsers)
}

type AnalyticsView = ReturnType<typeof useAnalyticsView>[0]

/** Filters, unset. */
export const NO_FILTERS = { agent: null, channel: null, assignee: null, tag: null }

/** The days of a view: from one day to another where both are given. */
export function rangeOf({ range, from, to }: Pick<AnalyticsView, 'range' | 'from' | 'to'>): AnalyticsRange {
  return from !== null && to !== null ? { from, to } : { days: range }
}

/** The interval of a view, or the one that suits its days. */
export function intervalOf(view: Pick<AnalyticsView, 'range' | 'from' | 'to' | 'interval'>): AnalyticsInterval {
  return view.interval ?? intervalFor(dayCount(rangeOf(view)))
}

/** The filters of a view. `agents`: those whose slugs are known. */
export function filtersOf(
  { agent, channel, assignee, tag }: Pick<AnalyticsView, 'agent' | 'channel' | 'assignee' | 'tag'>,
  agents: readonly Pick<AgentSummary, '_id' | 'slug'>[],
): AnalyticsFilters {
  const agentId = agents.find(({ slug }) => slug === agent)?._id ?? (agent as Id<'agents'> | null)
  return {
    ...(agentId !== null && { agentId }),
    ...(channel !== null && { channel }),
    ...(assignee !== null && { assigneeId: assignee === 'nobody' ? null : (assignee as Id<'users'>) }),
    ...(tag !== null && { tag }),
  }
}
