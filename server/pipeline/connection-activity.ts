// Signs of life of channel connections, gathered and written now and then: a counter written with every message would make
// all customers of one bot wait for each other. A hard kill loses the last few seconds of the counts.
import type { Id } from '#shared/ids.ts'

export type Activity = { connectionId: Id<'channelConnections'>; messages: number; isHeard: boolean }

export interface ConnectionActivity {
  /** A message came in. */
  inbound(connectionId: Id<'channelConnections'>): void
  /** The provider answered a poll or took a message. */
  heartbeat(connectionId: Id<'channelConnections'>): void
  /** What has gathered since the last call. */
  take(): Activity[]
}

/** An empty gathering. */
export function createConnectionActivity(): ConnectionActivity {
  let gathered = new Map<Id<'channelConnections'>, Activity>()
  const of = (connectionId: Id<'channelConnections'>) => {
    const known = gathered.get(connectionId) ?? { connectionId, messages: 0, isHeard: false }
    gathered.set(connectionId, known)
    return known
  }
  return {
    inbound(connectionId) {
      of(connectionId).messages++
    },
    heartbeat(connectionId) {
      of(connectionId).isHeard = true
    },
    take() {
      const taken = [...gathered.values()]
      gathered = new Map()
      return taken
    },
  }
}
