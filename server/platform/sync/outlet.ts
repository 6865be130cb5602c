// What is written to one socket, and how far its client has come with it. A client that has not taken a state yet is shown no further one:
// when it is ready it gets the newest, so that a client that falls behind skips what has long been replaced.
//
// What the network has taken may still lie there for seconds. From time to time a ping follows a state, and its answer says that the client
// has read up to there.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { framesFor, pingFrame, type SharedMessage, textFrame } from './frames.ts'
import { BUFFERED_MAX, PING_EVERY_BYTES, PONG_PATIENCE_MS, STALLED_MS, UNANSWERED_MAX } from './limits.ts'
import type { Held } from './tab.ts'

type OutletParts = {
  socket: WebSocket
  raw: Duplex
  /** Charged with what has not left: see `chargeNothing`. */
  unread: Held
  /** A further state may be sent, after one might not. */
  onFree(): void
}

export class Outlet {
  readonly #parts: OutletParts
  readonly #mayDeflate: boolean
  /** Bytes of states, since the beginning: sent, answered for, and sent when the ping that is under way was. */
  #sent = 0
  #answered = 0
  #pinged: { sent: number; at: number } | null = null
  #blockedSince: number | null = null
  #isCharged = true
  /** When anything was sent last. */
  lastSentAt = Date.now()

  constructor(parts: OutletParts) {
    this.#parts = parts
    this.#mayDeflate = parts.socket.extensions?.includes('permessage-deflate') ?? false
    parts.socket.on('pong', () => this.#hear())
  }

  /** Written and not yet taken by the network. */
  get bufferedBytes(): number {
    return this.#parts.raw.writableLength
  }

  /** Whether a state may be sent: all earlier ones have left, and the client has read most of them. */
  get isFree(): boolean {
    return this.#blockedSince === null
  }

  send(text: string): void {
    this.#write([textFrame(text)])
  }

  /** `own`: what stands at the beginning for this client alone. */
  sendState(messages: readonly SharedMessage[], own: string): void {
    const frames = messages.flatMap((message) => framesFor(message, own, this.#mayDeflate))
    for (const { length } of frames) this.#sent += length
    if (this.#sent - this.#answered >= PING_EVERY_BYTES && !this.#pinged) frames.push(this.#ping())
    // Until the network has taken all of it.
    this.#blockedSince ??= Date.now()
    this.#write(frames, () => this.#settle())
  }

  /** The client is authenticated from now on, or gone: what waits in its socket is no longer charged. */
  chargeNothing(): void {
    this.#isCharged = false
    this.#parts.unread.release()
  }

  /** Called every few seconds. */
  tick(now: number): void {
    // A client that does not answer pings must not be blocked by that.
    if (this.#pinged && this.bufferedBytes === 0 && now - this.#pinged.at > PONG_PATIENCE_MS) this.#hear()
    if (this.#blockedSince !== null && now - this.#blockedSince > STALLED_MS) this.#parts.socket.terminate()
  }

  #ping(): Buffer {
    this.#pinged = { sent: this.#sent, at: Date.now() }
    return pingFrame()
  }

  #hear(): void {
    if (!this.#pinged) return
    this.#answered = this.#pinged.sent
    this.#pinged = null
    if (this.#sent - this.#answered >= PING_EVERY_BYTES) this.#write([this.#ping()])
    this.#settle()
  }

  #settle(): void {
    if (this.#blockedSince === null) return
    if (this.bufferedBytes > 0 || this.#sent - this.#answered >= UNANSWERED_MAX) return
    this.#blockedSince = null
    this.#parts.onFree()
  }

  #write(frames: readonly Buffer[], onLeft?: () => void): void {
    const { socket, raw, unread } = this.#parts
    if (socket.readyState !== socket.OPEN) return
    if (raw.writableLength > BUFFERED_MAX) return void socket.terminate()
    this.lastSentAt = Date.now()
    const bytes = frames.reduce((sum, { length }) => sum + length, 0)
    if (this.#isCharged && !unread.resize(raw.writableLength + bytes)) return void socket.terminate()
    raw.cork()
    frames.forEach((frame, at) => {
      const isLast = at === frames.length - 1
      raw.write(frame, () => {
        if (!isLast) return
        if (this.#isCharged) unread.resize(raw.writableLength)
        onLeft?.()
      })
    })
    raw.uncork()
  }
}
