// Tells the server how the realtime connection fares, so that its operator learns of clients that cannot stay connected: at most once each
// 30 s, only when something has changed, and at once when a request has waited for a minute. The library's own reports
// (`reportDebugInfoToConvex`) would answer every message of the server with one of the client.
import type { ConnectionState } from 'convex/browser'
import { CONNECTION_METRICS_EVERY_MS, LONG_DISCONNECT_MS } from '#shared/limits.ts'
import { atServer } from './server-address.ts'

type Client = {
  connectionState(): ConnectionState
  subscribeToConnectionState(listener: (state: ConnectionState) => void): () => void
}
type DebugEvent =
  | { event: 'LongWebsocketDisconnect' }
  | { event: 'ConnectionMetrics'; connections: number; failures: number; openMs: number; closedMs: number }

/** Begins to report. @returns the function that ends it */
export function reportConnection(client: Client, post: (event: DebugEvent) => void = send): () => void {
  const meter = new ConnectionMeter(client.connectionState(), performance.now())
  const unsubscribe = client.subscribeToConnectionState((state) => meter.note(state, performance.now()))
  const look = () => {
    for (const event of meter.due(client.connectionState(), performance.now(), Date.now())) post(event)
  }
  const looking = setInterval(look, CONNECTION_METRICS_EVERY_MS)
  return () => {
    unsubscribe()
    clearInterval(looking)
  }
}

/** How often a client has connected and failed to, and for how long it was connected. Moments are milliseconds, handed in. */
export class ConnectionMeter {
  #state: ConnectionState
  #since: number
  #openMs = 0
  #closedMs = 0
  #reported: string | null = null
  #reportedRequestAt: number | null = null

  constructor(state: ConnectionState, now: number) {
    this.#state = state
    this.#since = now
  }

  /** The state has changed. */
  note(state: ConnectionState, now: number): void {
    const passed = now - this.#since
    if (this.#state.isWebSocketConnected) this.#openMs += passed
    else if (this.#state.hasEverConnected) this.#closedMs += passed
    this.#state = state
    this.#since = now
  }

  /** What is to be reported at this moment. `now`, `time`: of a clock that never goes back, and of the day. */
  due(state: ConnectionState, now: number, time: number): DebugEvent[] {
    this.note(state, now)
    const events: DebugEvent[] = []
    const oldest = state.timeOfOldestInflightRequest?.getTime() ?? null
    if (oldest !== null && time - oldest > LONG_DISCONNECT_MS && oldest !== this.#reportedRequestAt) {
      this.#reportedRequestAt = oldest
      events.push({ event: 'LongWebsocketDisconnect' })
    }
    const counts = { connections: state.connectionCount, failures: state.connectionRetries }
    const key = JSON.stringify(counts)
    if (state.hasEverConnected && key !== this.#reported) {
      this.#reported = key
      const times = { openMs: Math.round(this.#openMs), closedMs: Math.round(this.#closedMs) }
      events.push({ event: 'ConnectionMetrics', ...counts, ...times })
    }
    return events
  }
}

/** Nothing depends on whether it arrives. */
function send(event: DebugEvent): void {
  const headers = { 'content-type': 'application/json' }
  fetch(atServer('/api/debug_event'), { method: 'POST', headers, body: JSON.stringify(event), keepalive: true }).catch(
    () => {},
  )
}
