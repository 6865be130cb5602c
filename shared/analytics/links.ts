// Which conversations stand behind a number of analytics: the filter of the inbox that lists them, and exactly as many.
//
// `conversations:list`, `conversations:matching` and `conversations:count` take it. In the address of /chats the conditions of `facts` stand
// under their own names (`?folder=kept&begunSince=…&outcome=resolved`).
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFilter } from '#shared/messaging/conversations.ts'
import type { AnalyticsFilters, BreakdownBy } from './analytics.ts'
import type { FactsFilter } from './facts.ts'

/** A number of `Measures`, or of `Written`. */
export type Measured =
  | 'conversations'
  | 'resolved'
  | 'handedOff'
  | 'reopened'
  | 'unanswered'
  | 'everReopened'
  | 'didNotKnow'
  /** `firstResponse.count` */
  | 'answered'
  /** `resolution.count` */
  | 'settled'
  /** `ratings.count` */
  | 'rated'
  /** `cost.unpricedConversations` */
  | 'unpriced'
  /** `messages.conversations` */
  | 'written'

type Period = { start: number; end: number }

const CONDITIONS: { [What in Exclude<Measured, 'written'>]: FactsFilter } = {
  conversations: {},
  resolved: { outcome: 'resolved' },
  handedOff: { outcome: 'handed_off' },
  reopened: { outcome: 'reopened' },
  unanswered: { outcome: 'unanswered' },
  everReopened: { isReopened: true },
  didNotKnow: { didNotKnow: true },
  answered: { isAnswered: true },
  settled: { isSettled: true },
  rated: { rating: 'any' },
  unpriced: { isUnpriced: true },
}

/**
 * The conversations behind a number. `period`: the range or a bar of an overview, or the range of a breakdown; `filters`: those that it was
 * asked with.
 */
export function behind(what: Measured, period: Period, filters: AnalyticsFilters = {}): ConversationFilter {
  const facts =
    what === 'written'
      ? { writtenSince: period.start, writtenUntil: period.end }
      : { begunSince: period.start, begunUntil: period.end, ...CONDITIONS[what] }
  return { folder: 'kept', ...filters, facts }
}

/** The conversations behind a number of a row of a breakdown. */
export function behindRow(
  row: { by: BreakdownBy; key: string | null },
  what: Exclude<Measured, 'written'>,
  period: Period,
  filters: AnalyticsFilters = {},
): ConversationFilter {
  const { facts, ...rest } = behind(what, period, filters)
  const { facts: ofRow, ...others } = conditionOf(row)
  return { ...rest, ...others, facts: { ...facts, ...ofRow } }
}

function conditionOf({ by, key }: { by: BreakdownBy; key: string | null }): ConversationFilter {
  if (by === 'operator') return { assigneeId: key as Id<'users'> | null }
  if (key === null) return {}
  switch (by) {
    case 'agent':
      return { agentId: key as Id<'agents'> }
    case 'channel':
      return { channel: key as Exclude<Channel, 'test'> }
    case 'tag':
      return { tag: key }
    case 'reason':
      return { facts: { handoffReason: key } }
    case 'rating':
      return { facts: { rating: Number(key) as 1 } }
    case 'hour':
      return { facts: hourOf(key) }
    case 'question':
      return { facts: { gist: key } }
  }
}

function hourOf(key: string): FactsFilter {
  const [weekday = 0, hour = 0] = key.split('-').map(Number)
  return { weekday, hour }
}
