// What is measured of a conversation, as a filter of the inbox: behind each number of analytics stands one of these.
import * as z from 'zod/mini'

/**
 * How a conversation stands, each in exactly one:
 *   handed_off   a person was called, or wrote
 *   reopened     else: it was ended, and the customer wrote again within REOPENED_WITHIN_DAYS
 *   resolved     else: an answer of the agent is the last word
 *   unanswered   else: the customer's word is the last, or there was no question
 */
export const OUTCOMES = ['resolved', 'handed_off', 'reopened', 'unanswered'] as const
export type Outcome = (typeof OUTCOMES)[number]

/** A message of the customer this long after the end of a conversation reopens it; later ones go on with it, and it stays resolved. */
export const REOPENED_WITHIN_DAYS = 7

const instant = z.number().check(z.minimum(-8e15), z.maximum(8e15))

/** Conditions on what is measured; all that are given must hold. Instants in milliseconds, an end is not included. */
export const factsFilter = z.strictObject({
  /** When the conversation began: when its row was made, with the first message. */
  begunSince: z.optional(instant),
  begunUntil: z.optional(instant),
  outcome: z.optional(z.enum(OUTCOMES)),
  /** Was reopened, whether or not a person had come. */
  isReopened: z.optional(z.literal(true)),
  /** Why it was handed off first: one of PAUSE_REASONS. */
  handoffReason: z.optional(z.string().check(z.maxLength(40))),
  /** The customer's last rating; `any`: was rated. */
  rating: z.optional(z.union([z.literal([1, 2, 3, 4, 5]), z.literal('any')])),
  /** A search for an answer found too little. */
  didNotKnow: z.optional(z.literal(true)),
  /** Has a first response: what the response times are of. */
  isAnswered: z.optional(z.literal(true)),
  /** Is resolved or ended: what the resolution times are of. */
  isSettled: z.optional(z.literal(true)),
  /** Holds model calls whose price is unknown. */
  isUnpriced: z.optional(z.literal(true)),
  /** Began on this day of the week, 0 (Monday) to 6, and in this hour, 0 to 23; both in the organization's time zone. */
  weekday: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(6))),
  hour: z.optional(z.number().check(z.int(), z.minimum(0), z.maximum(23))),
  /** The question behind this gist was asked in it (`BreakdownRow.key` of `question`). */
  gist: z.optional(z.string().check(z.maxLength(1000))),
  /** A message was written in it within these moments. */
  writtenSince: z.optional(instant),
  writtenUntil: z.optional(instant),
})
export type FactsFilter = z.infer<typeof factsFilter>
