// The door of the realtime connection: which requests are for it, how many from one address, and how much before a token is shown.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { TokenBucket } from '#server/lib/token-bucket.ts'
import { CONNECT_BURST, CONNECTS_PER_SECOND, FRAME_MAX_ANONYMOUS, SOCKETS_PER_ADDRESS } from './limits.ts'

/** The client puts its own version into the path; any is accepted. */
export function isSyncPath(url: string): boolean {
  return /^\/api\/[^/?]+\/sync(\?|$)/.test(url)
}

/** Answers an upgrade that is not accepted. */
export function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** Counts the connections of each address. */
export class Doorkeeper {
  readonly #addresses = new Map<string, { open: number; bucket: TokenBucket }>()

  /** Call the result when the connection has ended. Null: too many. */
  enter(address: string): (() => void) | null {
    let visitor = this.#addresses.get(address)
    if (!visitor) {
      visitor = { open: 0, bucket: new TokenBucket(CONNECT_BURST, CONNECTS_PER_SECOND) }
      this.#addresses.set(address, visitor)
    }
    if (visitor.open >= SOCKETS_PER_ADDRESS || !visitor.bucket.take()) return null
    const entered = visitor
    entered.open++
    return () => void entered.open--
  }

  /** Forgets addresses that have not been here for a while. */
  tidy(): void {
    for (const [address, { open, bucket }] of this.#addresses) {
      if (open === 0 && bucket.isFull) this.#addresses.delete(address)
    }
  }
}

/**
 * Cuts a connection that sends a frame larger than allowed before it has shown a token, while the frame is still coming in:
 * the websocket library has one limit for all, and would collect the larger one.
 */
export function guardFrames(socket: Duplex, webSocket: WebSocket, hasAuthenticated: () => boolean): void {
  let received = 0
  const count = (data: Buffer) => {
    if (hasAuthenticated()) return void socket.off('data', count)
    received += data.length
    // Headers of frames count as well, and a frame may begin in the middle of what was counted.
    if (received > 2 * FRAME_MAX_ANONYMOUS) webSocket.terminate()
  }
  socket.on('data', count)
  webSocket.on('message', () => {
    received = 0
  })
}
