// The door of the realtime connection: which requests are for it, how many from one address, and how much before a token is shown.
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { TokenBucket } from '#server/platform/lib/scheduling/token-bucket.ts'
import {
  CONNECT_BURST,
  CONNECTS_PER_SECOND,
  FRAME_MAX_ANONYMOUS,
  SOCKETS_PER_ADDRESS,
  STRANGERS_PER_ADDRESS,
} from './limits.ts'
import type { Held } from './tab.ts'

/** The client puts its own version into the path; any is accepted. */
export function isSyncPath(url: string): boolean {
  return /^\/api\/[^/?]+\/sync(\?|$)/.test(url)
}

/** Answers an upgrade that is not accepted. */
export function refuse(socket: Duplex, status: number): void {
  socket.on('error', () => socket.destroy())
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

type Address = { open: number; strangers: number; bucket: TokenBucket }
/** A connection that was let in. `recognize`: it has shown a token. `leave`: it has ended. Both may be called again. */
export type Entered = { recognize(): void; leave(): void }

/** Counts the connections of each address. */
export class Doorkeeper {
  readonly #addresses = new Map<string, Address>()

  /** Null: too many. */
  enter(name: string): Entered | null {
    const address = this.#find(name)
    if (address.open >= SOCKETS_PER_ADDRESS || address.strangers >= STRANGERS_PER_ADDRESS) return null
    if (!address.bucket.take()) return null
    address.open++
    address.strangers++
    const once = (run: () => void) => {
      let isDone = false
      return () => {
        if (!isDone) run()
        isDone = true
      }
    }
    const recognize = once(() => address.strangers--)
    const leave = once(() => {
      address.open--
      recognize()
    })
    return { recognize, leave }
  }

  #find(name: string): Address {
    let address = this.#addresses.get(name)
    if (!address) {
      address = { open: 0, strangers: 0, bucket: new TokenBucket(CONNECT_BURST, CONNECTS_PER_SECOND) }
      this.#addresses.set(name, address)
    }
    return address
  }

  /** Forgets addresses that have not been here for a while. */
  tidy(): void {
    for (const [address, { open, bucket }] of this.#addresses) {
      if (open === 0 && bucket.isFull) this.#addresses.delete(address)
    }
  }
}

type FrameGuard = {
  hasAuthenticated(): boolean
  held: Held
  refuse(why: 'TooLarge' | 'TooManyConcurrentRequests'): void
}

/**
 * Cuts a connection that sends a frame larger than allowed before it has authenticated, while the frame is still arriving: the websocket
 * library has one limit for all, and would collect the larger one. `held`: what it has collected is charged there. `refuse`: notifies the
 * client, from which nothing more is read.
 */
export function guardFrames(
  socket: Duplex,
  webSocket: WebSocket,
  { hasAuthenticated, held, refuse }: FrameGuard,
): void {
  let collected = 0
  const collect = (bytes: number) => {
    collected = Math.max(0, collected + bytes)
    // A frame may begin in the middle of what the network hands over at once.
    if (collected > 2 * FRAME_MAX_ANONYMOUS) refuse('TooLarge')
    else if (!held.resize(collected)) refuse('TooManyConcurrentRequests')
    else return
    webSocket.pause()
  }
  const count = (data: Buffer) => {
    if (!hasAuthenticated()) return collect(data.length)
    held.release()
    socket.off('data', count)
  }
  // Ahead of the library, which takes out what is complete.
  socket.prependListener('data', count)
  webSocket.on('message', (data: Buffer) => collect(-frameBytes(data.length)))
  webSocket.on('ping', (data) => collect(-frameBytes(data.length)))
  webSocket.on('pong', (data) => collect(-frameBytes(data.length)))
  webSocket.once('close', () => held.release())
}

/** Bytes of a client's frame with its header. @source RFC 6455, 5.2 */
function frameBytes(content: number): number {
  return content + (content < 126 ? 6 : content < 65_536 ? 8 : 14)
}

/** Each message is compressed separately: no context is kept for a socket in between. What we send is compressed in frames.ts. */
export const COMPRESSION = { serverNoContextTakeover: true, clientNoContextTakeover: true }

type Deflate = { _maxPayload: number; decompress(data: Buffer, isLast: boolean, done: () => void): void }

/**
 * Keeps strangers from sending little that becomes much: what they compress may be as large as what they may send at all. The library has one
 * limit for all clients, and none that changes. What arrives while a client is being authenticated waits for the verdict, which decides the
 * limit: a client that comes back sends all it has at once.
 *
 * @param verdict undefined: the client is not being authenticated
 * @returns takes it back, for a client that is known
 */
export function boundInflation(webSocket: WebSocket, verdict: () => Promise<unknown> | undefined): () => void {
  const extensions = Reflect.get(webSocket, '_extensions') as Record<string, Deflate>
  const deflate = extensions['permessage-deflate']
  if (!deflate) return () => {}
  const allowed = deflate._maxPayload
  deflate._maxPayload = FRAME_MAX_ANONYMOUS
  const decompress = deflate.decompress.bind(deflate)
  deflate.decompress = (...frame) => {
    const goOn = () => {
      if (webSocket.readyState !== webSocket.CLOSED) decompress(...frame)
    }
    const pending = verdict()
    if (pending) void pending.then(goOn, goOn)
    else goOn()
  }
  return () => {
    deflate._maxPayload = allowed
  }
}
