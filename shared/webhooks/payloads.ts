// What each webhook event says: the schemas of `data`, by type. docs/webhooks.md shows an example of each, which a test holds against these.
import * as z from 'zod/mini'

const id = z.string().check(z.minLength(1))
/** Milliseconds since the epoch. */
const instant = z.number().check(z.int())

const conversation = z.strictObject({
  _id: id,
  agentId: id,
  channel: z.string(),
  connectionId: z.nullable(id),
  customerId: z.nullable(id),
  status: z.enum(['active', 'paused', 'ended']),
})

const message = z.strictObject({
  _id: id,
  author: z.enum(['customer', 'agent', 'operator']),
  /** Of an operator's message: who wrote it. */
  userId: z.nullable(id),
  text: z.string(),
  /** How many files it has. */
  attachments: z.number().check(z.int(), z.minimum(0)),
  createdAt: instant,
})

const booking = z.strictObject({
  conversation: z.nullable(conversation),
  booking: z.strictObject({ _id: id, status: z.enum(['booked', 'cancelled']), startsAt: instant, endsAt: instant }),
})

/** `data` of every type of event that Parley knows. */
export const WEBHOOK_DATA = {
  'conversation.begun': z.strictObject({
    conversation,
    /** It had ended, and the customer has written again. */
    isReopened: z.boolean(),
    begunAt: instant,
  }),
  'message.incoming': z.strictObject({ conversation, message }),
  'message.outgoing': z.strictObject({ conversation, message }),
  'conversation.handed_off': z.strictObject({
    conversation,
    /** Why, as in the inbox: `customer_request`, `operator_reply` and so on. */
    reason: z.nullable(z.string()),
    note: z.nullable(z.string()),
    assigneeId: z.nullable(id),
    handedOffAt: instant,
  }),
  'conversation.ended': z.strictObject({ conversation, endedAt: instant }),
  'conversation.rated': z.strictObject({
    conversation,
    score: z.number().check(z.int(), z.minimum(1), z.maximum(5)),
    comment: z.nullable(z.string()),
    ratedAt: instant,
  }),
  'booking.created': booking,
  'booking.changed': booking,
  'booking.cancelled': booking,
  'document.failed': z.strictObject({
    document: z.strictObject({
      _id: id,
      knowledgeSpaceId: id,
      name: z.string(),
      status: z.literal('error'),
      errorReason: z.nullable(z.string()),
    }),
    failedAt: instant,
  }),
  'limit.near': z.strictObject({
    /** `messages` of the plan's allowance, or `spending` in millionths of a US dollar. */
    limit: z.enum(['messages', 'spending']),
    /** The month, `YYYY-MM` in the organization's time zone. */
    period: z.string(),
    /** The share that was reached, in percent. */
    percent: z.number(),
    used: z.number(),
    allowed: z.number(),
    noticedAt: instant,
  }),
  'webhook.test': z.strictObject({ endpoint: z.strictObject({ _id: id }), sentAt: instant }),
} as const

/** The body of a request. `timestamp`: when it happened, ISO 8601. */
export function webhookBody<Type extends keyof typeof WEBHOOK_DATA>(type: Type) {
  return z.strictObject({ type: z.literal(type), timestamp: z.iso.datetime(), data: WEBHOOK_DATA[type] })
}
