// Activity of channel connections, buffered and flushed now and then: a counter updated with every message would make all customers
// of one bot wait for each other. A hard kill loses the last few seconds of the counts.
import type { Activity } from '#server/domain/channels/health/activity.store.ts'
import type { Id } from '#shared/ids.ts'

export interface ConnectionActivity {
  /** A message came in. */
  inbound(connectionId: Id<'channelConnections'>): void
  /** This many notifications were fetched late, after they had waited. */
  recovered(connectionId: Id<'channelConnections'>, count: number): void
  /** The provider got its response after this many milliseconds; the notification is stored. */
  answered(connectionId: Id<'channelConnections'>, ms: number): void
  /** A delivery failed signature verification: nothing of it is stored. */
  rejectedSignature(connectionId: Id<'channelConnections'>): void
  /** The provider accepted a message; the attempt began at `begunAt`. */
  sent(connectionId: Id<'channelConnections'>, begunAt: Date): void
  /** The provider could not be reached with a message, or accepts none at this time. */
  failed(connectionId: Id<'channelConnections'>, error: string): void
  /** The provider has accepted the credentials, as its response shows; the attempt began at `begunAt`. */
  accepted(connectionId: Id<'channelConnections'>, begunAt: Date): void
  /** Returns what was gathered since the last call. */
  take(): Activity[]
}

/** Creates an empty buffer. */
export function createConnectionActivity(): ConnectionActivity {
  let gathered = new Map<Id<'channelConnections'>, Activity>()
  const of = (connectionId: Id<'channelConnections'>): Activity => {
    const known = gathered.get(connectionId) ?? {
      connectionId,
      messages: 0,
      recovered: 0,
      acceptedAt: null,
      hasSent: false,
      sendError: null,
      webhookMs: null,
      hasRejectedSignature: false,
    }
    gathered.set(connectionId, known)
    return known
  }
  const accepted = (connectionId: Id<'channelConnections'>, begunAt: Date) => {
    const activity = of(connectionId)
    if (activity.acceptedAt === null || activity.acceptedAt < begunAt) activity.acceptedAt = begunAt
    activity.sendError = null
  }
  return {
    inbound(connectionId) {
      of(connectionId).messages++
    },
    recovered(connectionId, count) {
      of(connectionId).recovered += count
    },
    answered(connectionId, ms) {
      const activity = of(connectionId)
      activity.webhookMs = Math.max(activity.webhookMs ?? 0, ms)
      activity.hasRejectedSignature = false
    },
    rejectedSignature(connectionId) {
      of(connectionId).hasRejectedSignature = true
    },
    sent(connectionId, begunAt) {
      of(connectionId).hasSent = true
      accepted(connectionId, begunAt)
    },
    failed(connectionId, error) {
      of(connectionId).sendError = error
    },
    accepted,
    take() {
      const taken = [...gathered.values()]
      gathered = new Map()
      return taken
    },
  }
}
