// Decisions about usage: how a range is read, and what the sums mean for the allowance.

import { localDay, startOfDay } from '#server/platform/lib/zoned-time.ts'
import { USAGE_CHANNELS_MAX, USAGE_CRITICAL_SHARE, USAGE_WARNING_SHARE } from '#shared/limits.ts'
import type {
  AgentDay,
  AgentSpend,
  MonthSpend,
  Spend,
  UsageCategory,
  UsageOverview,
} from '#shared/organizations/billing.ts'
import { USAGE_CATEGORIES, usesAllowance } from '#shared/organizations/billing.ts'
import type { TimeRange } from '#shared/schema.ts'
import type { AgentSum, SpendingAgent } from './months.store.ts'
import type { LimitedDay } from './quotas.store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LONGEST_MONTH_MS = 32 * DAY_MS

/** Sums of one day, category and channel. `day` is `YYYY-MM-DD`. */
export type UsageSum = {
  day: string
  category: UsageCategory
  channel: string
  messages: number
  tokens: number
  costMicroUsd: number
  unpricedCalls: number
}
type Used = { sums: UsageSum[]; before: UsageSum[]; range: TimeRange }
type Plan = { slug: string | null; name: string | null; allowance: number | null }

/** A range as the whole hours in it and the parts of hours at its edges. Empty parts are left out. */
export function splitRange({ start, end }: TimeRange): { hours: TimeRange | null; edges: TimeRange[] } {
  const firstHour = Math.ceil(start / HOUR_MS) * HOUR_MS
  const lastHour = Math.floor(end / HOUR_MS) * HOUR_MS
  if (firstHour >= lastHour) return { hours: null, edges: start < end ? [{ start, end }] : [] }
  const edges = [
    { start, end: firstHour },
    { start: lastHour, end },
  ]
  return { hours: { start: firstHour, end: lastHour }, edges: edges.filter((edge) => edge.start < edge.end) }
}

/**
 * Whole hours through which midnight passes, as it does where local clocks are not whole hours off: what was used in them belongs to two
 * days. `hours`: begins and ends on an hour.
 */
export function tornHours({ start, end }: TimeRange, timeZone: string): TimeRange[] {
  const torn: TimeRange[] = []
  for (let day = localDay(start, timeZone) + 1; day <= localDay(end - 1, timeZone); day++) {
    const midnight = startOfDay(day, timeZone)
    const hour = Math.floor(midnight / HOUR_MS) * HOUR_MS
    if (hour !== midnight) torn.push({ start: hour, end: hour + HOUR_MS })
  }
  return torn
}

/** The part of the month in which a range ends that lies before the range, and perhaps some days more; null: nothing does. */
export function rangeBefore({ start, end }: TimeRange): TimeRange | null {
  const longestMonthAgo = end - LONGEST_MONTH_MS
  return start > longestMonthAgo ? { start: longestMonthAgo, end: start } : null
}

/**
 * The overview of a range from its sums. Every day of the range has an entry, in the time zone of the sums.
 *
 * @param before sums of what `rangeBefore` names
 */
export function overviewOf(
  plan: Plan,
  { sums: all, before, range }: Used,
  timeZone: string,
): Omit<UsageOverview, 'unpricedModels'> {
  const sums = all.filter((sum) => usesAllowance(sum.category))
  const month = dayFormat(timeZone)
    .format(range.end - 1)
    .slice(0, 7)
  const ofMonth = [...before, ...sums].filter((sum) => usesAllowance(sum.category) && sum.day.startsWith(month))
  const used = total(ofMonth, (sum) => sum.messages)
  const percentage = plan.allowance === null ? null : plan.allowance === 0 ? 1 : used / plan.allowance
  return {
    plan: { slug: plan.slug, name: plan.name ?? 'Parking', allowance: plan.allowance },
    period: { key: month, messages: used },
    totals: {
      messages: total(sums, (sum) => sum.messages),
      tokens: total(all, (sum) => sum.tokens),
      cost: total(all, (sum) => sum.costMicroUsd) / 1e6,
      unpricedCalls: total(all, (sum) => sum.unpricedCalls),
      remaining: plan.allowance === null ? null : Math.max(0, plan.allowance - used),
      percentage: percentage === null ? null : Math.min(1, percentage),
    },
    thresholds: { status: statusOf(percentage) },
    categories: USAGE_CATEGORIES.map((key) => ({
      key,
      messages: total(all, (sum) => (sum.category === key ? sum.messages : 0)),
    })),
    timeline: daysOf(range, timeZone).map((key) => ({
      key,
      messages: total(sums, (sum) => (sum.day === key ? sum.messages : 0)),
    })),
    channels: topChannels(sums),
  }
}

/** The days that a range touches, `YYYY-MM-DD`, oldest first. */
export function daysOf({ start, end }: TimeRange, timeZone: string): string[] {
  const format = dayFormat(timeZone)
  const days = new Set<string>()
  // Steps of half a day meet every day, also those of 23 and 25 hours.
  for (let time = start; time < end; time += DAY_MS / 2) days.add(format.format(time))
  if (start < end) days.add(format.format(end - 1))
  return [...days]
}

/** Writes the day as `YYYY-MM-DD`. */
function dayFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' })
}

function statusOf(percentage: number | null): UsageOverview['thresholds']['status'] {
  if (percentage === null || percentage < USAGE_WARNING_SHARE) return 'ok'
  return percentage < USAGE_CRITICAL_SHARE ? 'warning' : 'critical'
}

function topChannels(sums: UsageSum[]): UsageOverview['channels'] {
  const byChannel = new Map<string, number>()
  for (const { channel, messages } of sums) byChannel.set(channel, (byChannel.get(channel) ?? 0) + messages)
  return [...byChannel]
    .map(([key, messages]) => ({ key, messages }))
    .sort((a, b) => b.messages - a.messages)
    .slice(0, USAGE_CHANNELS_MAX)
}

/** A month by agent, the dearest first. Deleted agents are in it when they have used something. @param limitMicroUsd of the organization */
export function monthSpendOf(
  sums: readonly AgentSum[],
  agents: readonly SpendingAgent[],
  limitMicroUsd: number | null,
): MonthSpend {
  const unused = agents.filter(({ agentId, isDeleted }) => !isDeleted && !sums.some((sum) => sum.agentId === agentId))
  const lines = [
    ...sums.map((sum) => ({ ...spendOf([sum]), agentId: sum.agentId })),
    ...unused.map(({ agentId }) => ({ ...spendOf([]), agentId })),
  ].map((spend): AgentSpend => {
    const agent = agents.find(({ agentId }) => agentId === spend.agentId)
    const { name, isDeleted, limitUsd } = agent ?? { name: '', isDeleted: spend.agentId !== null, limitUsd: null }
    return { ...spend, name, isDeleted, limitUsd }
  })
  return {
    total: spendOf(sums),
    limitUsd: limitMicroUsd === null ? null : limitMicroUsd / 1e6,
    agents: lines.sort((a, b) => b.costUsd - a.costUsd || b.messages - a.messages || a.name.localeCompare(b.name)),
  }
}

function spendOf(sums: readonly AgentSum[]): Spend {
  return {
    messages: total(sums, (sum) => sum.messages),
    tokens: total(sums, (sum) => sum.tokens),
    costUsd: total(sums, (sum) => sum.costMicroUsd) / 1e6,
    unpricedCalls: total(sums, (sum) => sum.unpricedCalls),
  }
}

function total<Sum>(sums: readonly Sum[], value: (sum: Sum) => number): number {
  return sums.reduce((all, sum) => all + value(sum), 0)
}

/** The newest day of each agent that has a daily limit. @param days newest first */
export function agentDaysOf(days: LimitedDay[]): AgentDay[] {
  const newest = new Map<string, AgentDay>()
  for (const { agentId, day, answers, spam } of days) {
    const limit = spam.agentDailyLimit
    if (limit === null || newest.has(agentId)) continue
    const isNear = answers >= warningAt(limit, spam.warningPercent)
    newest.set(agentId, {
      agentId,
      day,
      answers,
      limit,
      status: answers >= limit ? 'reached' : isNear ? 'warning' : 'ok',
    })
  }
  return [...newest.values()]
}

/** Answers at which the team is warned of a limit. */
export function warningAt(limit: number, warningPercent: number): number {
  return Math.ceil((limit * warningPercent) / 100)
}
