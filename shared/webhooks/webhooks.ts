// Outgoing webhooks: the types of events, the addresses that hear of them, and the log of deliveries.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { id, paginationOpts } from '#shared/schema.ts'
import { WEBHOOK_DESCRIPTION_MAX, WEBHOOK_PER_MINUTE_MAX, WEBHOOK_URL_MAX } from '#shared/webhooks/webhook-limits.ts'
import type { WEBHOOK_DATA } from './payloads.ts'

/** Every type, those that nothing emits yet included. */
export type WebhookType = keyof typeof WEBHOOK_DATA

/** The types that an endpoint may ask for, in the order in which they are offered. */
export const OFFERED_TYPES = [
  'conversation.begun',
  'message.incoming',
  'message.outgoing',
  'conversation.handed_off',
  'conversation.ended',
  'conversation.rated',
  'booking.created',
  'booking.changed',
  'booking.cancelled',
  'document.failed',
  'limit.near',
] as const satisfies WebhookType[]
export type OfferedType = (typeof OFFERED_TYPES)[number]

/** `off`: switched off by a person. `disabled`: by Parley, after days of failures or because the receiver is gone. */
export type EndpointState = 'on' | 'off' | 'disabled'
export const DELIVERY_STATES = ['waiting', 'delivered', 'dead'] as const
export type DeliveryState = (typeof DELIVERY_STATES)[number]

/** Why an attempt failed; `status`: the answer was no success. */
export type AttemptError = 'status' | 'timeout' | 'not_connected' | 'cut_off' | 'address_refused' | 'secret'

const settings = {
  url: z.string().check(z.trim(), z.minLength(1), z.maxLength(WEBHOOK_URL_MAX)),
  description: z.string().check(z.trim(), z.maxLength(WEBHOOK_DESCRIPTION_MAX)),
  types: z.array(z.enum(OFFERED_TYPES)).check(z.minLength(1), z.maxLength(OFFERED_TYPES.length)),
  perMinute: z.nullable(z.number().check(z.int(), z.minimum(1), z.maximum(WEBHOOK_PER_MINUTE_MAX))),
}

export const webhookSettings = z.strictObject(settings)
export type WebhookSettings = z.infer<typeof webhookSettings>

const endpointId = id('webhookEndpoints')
const deliveryId = id('webhookDeliveries')
export const endpointInput = z.strictObject({ endpointId })
export const updateEndpointInput = z.strictObject({ endpointId, ...settings })
/** On: also takes a disabled one up again. */
export const switchEndpointInput = z.strictObject({ endpointId, isOn: z.boolean() })
export const deliveriesInput = z.strictObject({
  endpointId,
  state: z.optional(z.enum(DELIVERY_STATES)),
  paginationOpts,
})
export const deliveryInput = z.strictObject({ deliveryId })

export type WebhookEndpoint = {
  _id: Id<'webhookEndpoints'>
  url: string
  description: string
  types: OfferedType[]
  perMinute: number | null
  state: EndpointState
  /** Why Parley has disabled it: it failed for days, or answered that it is gone. */
  disabledReason: 'failing' | 'gone' | null
  /** Since when no attempt has succeeded; null: it works, or was not tried. */
  failingSince: number | null
  /** When it is tried again; null: at once. */
  retryAt: number | null
  /** Since when new events are not kept, because too many wait. */
  fullSince: number | null
  /** Until when events are signed with the secret before too; null: there is none. */
  previousSecretUntil: number | null
  lastDeliveredAt: number | null
  createdAt: number
}

/** How many deliveries are in a state that needs attention; `max` and more are not counted. */
export type DeliveryCounts = { waiting: number; dead: number; max: number }

export type WebhookDelivery = {
  _id: Id<'webhookDeliveries'>
  eventId: Id<'webhookEvents'>
  type: WebhookType
  state: DeliveryState
  attempts: number
  lastTriedAt: number | null
  lastStatus: number | null
  lastError: AttemptError | null
  createdAt: number
}

export type WebhookAttempt = {
  number: number
  at: number
  status: number | null
  error: AttemptError | null
  latencyMs: number
  /** The beginning of what the receiver answered. */
  answer: string
}

/** One delivery with what was sent, and each attempt, the newest first. */
export type WebhookDeliveryDetails = WebhookDelivery & { body: string; log: WebhookAttempt[] }
