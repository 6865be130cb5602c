// Signs of life of channel connections, gathered and written now and then: a counter written with every message would make
// all customers of one bot wait for each other. A hard kill loses the last few seconds of the counts.
import type { Id } from '#shared/ids.ts'

export type Activity = {
  connectionId: Id<'channelConnections'>
  messages: number
  /** When the newest attempt began that the provider accepted; null: none was. */
  acceptedAt: Date | null
}

export interface ConnectionActivity {
  /** A message came in. */
  inbound(connectionId: Id<'channelConnections'>): void
  /** The provider answered a poll, or took a message, and so has accepted the credentials; the attempt began at `begunAt`. */
  accepted(connectionId: Id<'channelConnections'>, begunAt: Date): void
  /** What has gathered since the last call. */
  take(): Activity[]
}

/** An empty gathering. */
export function createConnectionActivity(): ConnectionActivity {
  let gathered = new Map<Id<'channelConnections'>, Activity>()
  const of = (connectionId: Id<'channelConnections'>): Activity => {
    const known = gathered.get(connectionId) ?? { connectionId, messages: 0, acceptedAt: null }
    gathered.set(connectionId, known)
    return known
  }
  return {
    inbound(connectionId) {
      of(connectionId).messages++
    },
    accepted(connectionId, begunAt) {
      const activity = of(connectionId)
      if (activity.acceptedAt === null || activity.acceptedAt < begunAt) activity.acceptedAt = begunAt
    },
    take() {
      const taken = [...gathered.values()]
      gathered = new Map()
      return taken
    },
  }
}
