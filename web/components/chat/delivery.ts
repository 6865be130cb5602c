// The delivery of a message, summed up from its parts.
import type { CapReason } from '#shared/channels/caps.ts'
import { CAP_REASONS } from '#shared/channels/caps.ts'
import type { Message, PartState, PartWait } from '#shared/messaging/conversations.ts'

/** `withheld`: not sent, because the agent was paused first or the rating request was no longer due. */
export type DeliveryState = Exclude<PartState, 'claimed'> | 'withheld'

/** Errors of parts held back by a pause, or by the conversation going on before the rating request was sent. */
const WITHHELD: ReadonlySet<string | null> = new Set(['paused', 'rating_taken_back'])

/** One state for a message of several parts; the one that needs a person's attention most wins. */
export type Delivery = {
  state: DeliveryState
  sentParts: number
  totalParts: number
  /** Text of the channel about the first part that failed. */
  error: string | null
  /** Parts that can be sent again by hand: failed and unknown ones. */
  resendable: Message['deliveries'][number]['_id'][]
  /** Set while a send limit of its connection delays it: `until` (milliseconds) is the earliest time of sending. */
  waits: { until: number; reason: CapReason } | null
  /** What a person has to fix before it can be sent; null when nothing known blocks it. */
  waitsFor: PartWait | null
}

/** Most urgent first. `claimed` shows as `queued`: nothing has been sent yet. */
const URGENCY: PartState[] = ['unknown', 'failed', 'sending', 'claimed', 'queued', 'sent', 'delivered', 'read']
const TAKEN: ReadonlySet<PartState> = new Set(['sent', 'delivered', 'read'])

/** The delivery of a message; null when nothing is sent to a channel. */
export function deliveryOf(message: Pick<Message, 'deliveries'>): Delivery | null {
  const { deliveries } = message
  const worst = URGENCY.find((status) => deliveries.some((part) => part.status === status))
  if (!worst) return null
  const isWaiting = worst === 'queued' || worst === 'claimed'
  const failed = deliveries.filter((part) => part.status === 'failed')
  const isWithheld = worst === 'failed' && failed.every((part) => WITHHELD.has(part.error))
  return {
    state: isWithheld ? 'withheld' : worst === 'claimed' ? 'queued' : worst,
    sentParts: deliveries.filter((part) => TAKEN.has(part.status)).length,
    totalParts: deliveries.length,
    error: deliveries.find((part) => part.error !== null && part.waitsUntil === null)?.error ?? null,
    resendable: deliveries.filter((part) => part.status === 'failed' || part.status === 'unknown').map((p) => p._id),
    waits: worst === 'queued' ? waitOf(deliveries) : null,
    waitsFor: (isWaiting && deliveries.find((part) => part.waitsFor)?.waitsFor) || null,
  }
}

/** Taken from the first part that waits for a send limit. */
function waitOf(deliveries: Message['deliveries']): Delivery['waits'] {
  const part = deliveries.find(({ waitsUntil }) => waitsUntil !== null)
  const reason = CAP_REASONS.find((each) => each === part?.error)
  return part?.waitsUntil && reason ? { until: part.waitsUntil, reason } : null
}
