// Analytics: what is asked, and what is answered. Definitions of all numbers stand here; docs/internals/analytics.md explains them.
//
// A conversation counts where it began: in the bar of the moment of its first message, with what has become of it since. Messages count when
// they were written. Deleted conversations, and test chats, are in no number; archived ones are. Conversations that are shown as one count
// each for itself, as they do in a filtered inbox.
import * as z from 'zod/mini'
import { CHANNEL_NAMES } from '#shared/channels/manifests.ts'
import { TAG_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** Days of the ready-made ranges; each ends with today. */
export const ANALYTICS_DAYS = [7, 30, 90] as const
export const ANALYTICS_INTERVALS = ['hour', 'day', 'week', 'month'] as const
export type AnalyticsInterval = (typeof ANALYTICS_INTERVALS)[number]

/** Days of the longest range: two years, one of them with a leap day. */
export const ANALYTICS_RANGE_MAX_DAYS = 731
/** Bars of the finest chart: a month by hours. */
export const ANALYTICS_BARS_MAX = 800

/** `YYYY-MM-DD` */
const localDay = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/))

/**
 * The last 7, 30 or 90 days with today, or days from one to another, both included; in the organization's time zone.
 * Codes: `invalid_range` (ends before it starts, or names no day), `range_too_long`.
 */
const range = z.union([
  z.strictObject({ days: z.literal(ANALYTICS_DAYS) }),
  z.strictObject({ from: localDay, to: localDay }),
])
export type AnalyticsRange = z.infer<typeof range>

/** All that are given must hold; they narrow every number. */
const filters = z.optional(
  z.strictObject({
    agentId: z.optional(id('agents')),
    channel: z.optional(z.enum(CHANNEL_NAMES)),
    /** To whom the conversation is assigned now; null: to no one. */
    assigneeId: z.optional(z.nullable(id('users'))),
    /** A tag that the conversation has now. */
    tag: z.optional(z.string().check(z.trim(), z.minLength(1), z.maxLength(TAG_MAX))),
  }),
)
export type AnalyticsFilters = NonNullable<z.infer<typeof filters>>

/** A chart of so many bars that none is to be seen is refused: `too_many_bars`. */
export const analyticsOverviewInput = z.strictObject({ range, interval: z.enum(ANALYTICS_INTERVALS), filters })

/**
 * What conversations are counted by; a row each, most conversations first (`rating`, `hour`: in order):
 *   agent      key: id of the agent
 *   channel    key: name of the channel
 *   operator   key: id of the person to whom it is assigned now; null: to no one
 *   tag        key: the tag; a conversation counts in each of its tags. With a filter by tag: only that one
 *   reason     key: one of PAUSE_REASONS, why it was handed off first; only those that were
 *   rating     key: `1` to `5`; only rated ones
 *   hour       key: `weekday-hour`, `0-13` is Monday from 13:00, in the organization's time zone; hours without a conversation are missing
 *   question   key: the gist of a question that an agent looked up; a conversation counts once in each; at most BREAKDOWN_ROWS_MAX
 */
export const BREAKDOWNS = ['agent', 'channel', 'operator', 'tag', 'reason', 'rating', 'hour', 'question'] as const
export type BreakdownBy = (typeof BREAKDOWNS)[number]
/** Rows of the longest breakdown by tag or question. */
export const BREAKDOWN_ROWS_MAX = 50

export const analyticsBreakdownInput = z.strictObject({ by: z.enum(BREAKDOWNS), range, filters })

/** `timeline`: the bars of the overview; `figures`: its numbers, with those of the period before; else a breakdown. */
export const ANALYTICS_CHARTS = ['figures', 'timeline', ...BREAKDOWNS] as const
export type AnalyticsChart = (typeof ANALYTICS_CHARTS)[number]
export const analyticsExportInput = z.strictObject({
  chart: z.enum(ANALYTICS_CHARTS),
  range,
  /** Of the timeline. */
  interval: z.enum(ANALYTICS_INTERVALS),
  filters,
  /** Of the column names. */
  language: z.enum(['ru', 'en']),
})
/** `csv` begins with a byte order mark, and computes nothing in a spreadsheet. */
export type AnalyticsFile = { name: string; csv: string }

/** Conversations begun in a period, by what has become of them. The four outcomes add up to `conversations`. */
export type Outcomes = {
  conversations: number
  /** Resolved by the agent alone: an answer of its is the last word, no person was called or wrote, and it was not reopened. */
  resolved: number
  /** A person was called, or wrote. */
  handedOff: number
  /** Ended, and the customer wrote again within REOPENED_WITHIN_DAYS; no person was called or wrote. Not in `resolved`. */
  reopened: number
  /** The customer's word is the last, or there was no question. */
  unanswered: number
}

/** What is also measured of them. */
export type Measures = Outcomes & {
  /** Reopened, whether or not a person had come: `reopened`, and those handed off. */
  everReopened: number
  /** In which a search for an answer found too little. */
  didNotKnow: number
  /** From the customer's first message to the first answer, of the agent or a person. */
  firstResponse: Duration
  /** From the customer's first message to the last answer where the agent has resolved it, or to the end where it was ended. */
  resolution: Duration
  /** Last ratings; `scores[0]`: how many gave 1. `average` null: none. */
  ratings: { count: number; average: number | null; scores: [number, number, number, number, number] }
  /** What was spent in these conversations, until now; millionths of a US dollar. Calls of unknown price are not in it, but counted. */
  cost: {
    microUsd: number
    perConversation: number | null
    /** All that was spent, shared among those that the agent alone has resolved. */
    perResolution: number | null
    unpricedCalls: number
    /** In how many conversations those are. */
    unpricedConversations: number
  }
}

/** `count`: conversations that it is known of. Milliseconds; null: none. The 90th percentile: nine of ten were as fast. */
export type Duration = { count: number; medianMs: number | null; p90Ms: number | null }

/** Messages written in a period. Ratings and notices are among them; lines for the team, and answers that failed, are not. */
export type Written = {
  customer: number
  agent: number
  operator: number
  /** Conversations in which these were written. */
  conversations: number
}

export type Figures = Measures & { messages: Written }

/** One bar. `start`, `end`: milliseconds, the end not included; the first and the last are cut to the range. */
export type Bar = Outcomes & { start: number; end: number; messages: Omit<Written, 'conversations'> }

export type AnalyticsOverview = {
  timeZone: string
  /** Milliseconds, `end` not included; `from` and `to` are the local days, both included. */
  range: { start: number; end: number; from: string; to: string }
  /** As many days before. */
  before: { start: number; end: number; from: string; to: string }
  figures: Figures
  figuresBefore: Figures
  bars: Bar[]
  /** Spent in the range, whenever the conversations began: what the plan counts. Filters do not narrow it. */
  spend: { customers: Spent; test: Spent }
}

/** `messages`: as the plan counts them; cost in millionths of a US dollar. */
export type Spent = { messages: number; costMicroUsd: number; unpricedCalls: number }

/** `name`: of the agent or person, or the newest wording of a question; null: the key says it. */
export type BreakdownRow = Measures & { key: string | null; name: string | null; isDeleted: boolean }

export type AnalyticsBreakdown = {
  range: AnalyticsOverview['range']
  rows: BreakdownRow[]
  /** There were more rows than are listed. */
  isMore: boolean
}
