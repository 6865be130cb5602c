// Conditions on what is measured of conversations, as they stand in the address of the inbox: behind each number of analytics are some.
import { type inferParserType, parseAsBoolean, parseAsInteger, parseAsString, parseAsStringLiteral } from 'nuqs'
import { type FactsFilter, OUTCOMES } from '#shared/analytics/facts.ts'
import { PAUSE_REASONS } from '#shared/messaging/conversations.ts'

const RATINGS = ['1', '2', '3', '4', '5', 'any'] as const

/** Under the names of the filter. Instants in milliseconds. */
export const factsParsers = {
  begunSince: parseAsInteger,
  begunUntil: parseAsInteger,
  outcome: parseAsStringLiteral(OUTCOMES),
  isReopened: parseAsBoolean,
  handoffReason: parseAsStringLiteral(PAUSE_REASONS),
  rating: parseAsStringLiteral(RATINGS),
  didNotKnow: parseAsBoolean,
  isAnswered: parseAsBoolean,
  isSettled: parseAsBoolean,
  isUnpriced: parseAsBoolean,
  weekday: parseAsInteger,
  hour: parseAsInteger,
  gist: parseAsString,
  writtenSince: parseAsInteger,
  writtenUntil: parseAsInteger,
}
export type FactsQuery = inferParserType<typeof factsParsers>
export type FactsKey = keyof FactsQuery

/** Every condition, unset. */
export const NO_FACTS = Object.fromEntries(Object.keys(factsParsers).map((key) => [key, null])) as Record<
  FactsKey,
  null
>

/** The filter that the address asks for; undefined: none of its conditions is set. */
export function factsOf(query: FactsQuery): FactsFilter | undefined {
  const { rating, ...others } = query
  const set = Object.entries(others).filter(([key, value]) => key in factsParsers && value !== null && value !== false)
  const facts: FactsFilter = {
    ...(Object.fromEntries(set) as FactsFilter),
    ...(rating !== null && { rating: rating === 'any' ? 'any' : (Number(rating) as 1) }),
  }
  return Object.keys(facts).length === 0 ? undefined : facts
}
