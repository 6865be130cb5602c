// The messages of one client: checked and charged on arrival, handled one after another in that order.
import type { WebSocket } from 'ws'
import { isWithin, JSON_BOUNDS, STRANGER_JSON_BOUNDS } from '#server/platform/lib/http/bounded-json.ts'
import type { Logger } from '#server/platform/lib/logger.ts'
import { TokenBucket } from '#server/platform/lib/scheduling/token-bucket.ts'
import { AppError } from '#shared/errors.ts'
import type { FatalReason } from './fatal.ts'
import { chargeMessage, Intake } from './intake.ts'
import * as limits from './limits.ts'
import { type ActionMessage, type ClientMessage, type MutationMessage, parseClientMessage } from './protocol.ts'
import type { Tab } from './tab.ts'

export type RequestMessage = MutationMessage | ActionMessage
/** Call `done` when the message needs no more work. */
export type Received<Message> = { message: Message; done: () => void }
type Unjudged = { data: Buffer; isBinary: boolean }

/** The connection that the messages arrive on. */
export interface Recipient {
  readonly isOpen: boolean
  /** Decides how large a message may be. */
  readonly hasAuthenticated: boolean
  /** The client may be resending what it had sent on another socket. */
  readonly isReturning: boolean
  /** The next message waits for the promise, if any. */
  handle(received: Received<ClientMessage>): Promise<void> | undefined
  /** Answers a request for which there is no room. */
  refuse(request: RequestMessage, error: AppError): void
  close(code: number, reason: string): void
  fail(code: number, reason: FatalReason): void
}

type InboxParts = { socket: WebSocket; tab: Tab; logger: Logger }

export class Inbox {
  readonly #recipient: Recipient
  readonly #tab: Tab
  readonly #logger: Logger
  readonly #intake: Intake
  readonly #bucket = new TokenBucket(limits.MESSAGE_BURST, limits.MESSAGES_PER_SECOND)
  readonly #waiting: Received<ClientMessage>[] = []
  /** Set while the client is being authenticated. */
  #unjudged: Unjudged[] | null = null
  #isDraining = false
  /** Settles when the client is authenticated or refused; undefined while neither is under way. */
  verdict: Promise<void> | undefined

  constructor(recipient: Recipient, { socket, tab, logger }: InboxParts) {
    this.#recipient = recipient
    this.#tab = tab
    this.#logger = logger
    this.#intake = new Intake(socket)
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
  }

  /**
   * The limits depend on the client's identity: until that is known, the rest of a burst stays in the network, and messages already read
   * are checked afterwards.
   */
  async judgeAfter(authenticated: Promise<void>): Promise<void> {
    const release = this.#intake.hold()
    const unjudged: Unjudged[] = []
    this.#unjudged = unjudged
    this.verdict = authenticated
    try {
      await authenticated
    } finally {
      this.#unjudged = null
      this.verdict = undefined
      for (const { data, isBinary } of unjudged) this.#receive(data, isBinary)
      release()
    }
  }

  /** The connection has ended: drops what waits. */
  clear(): void {
    for (const { done } of this.#waiting) done()
    this.#waiting.length = 0
  }

  #receive(data: Buffer, isBinary: boolean) {
    const recipient = this.#recipient
    if (!recipient.isOpen) return
    if (this.#unjudged) return void this.#unjudged.push({ data, isBinary })
    const { hasAuthenticated } = recipient
    if (!hasAuthenticated && data.length > limits.FRAME_MAX_ANONYMOUS) return recipient.fail(1009, 'TooLarge')
    if (!this.#bucket.take()) return recipient.close(1013, 'TooManyConcurrentRequests')
    const bounds = hasAuthenticated ? JSON_BOUNDS : STRANGER_JSON_BOUNDS
    const text = data.toString()
    const message = isBinary ? undefined : parseClientMessage(text, bounds)
    if (!message) return recipient.fail(1008, isBinary || isWithin(text, bounds) ? 'MalformedMessage' : 'TooComplex')
    const received = this.#admit(message, data.length)
    if (!received) return
    this.#waiting.push(received)
    if (!this.#isDraining) void this.#drain()
  }

  /** Counts a message until it is done. Undefined: there is no room for it, and the client has been answered. */
  #admit(message: ClientMessage, bytes: number): Received<ClientMessage> | undefined {
    try {
      return { message, done: chargeMessage(message, bytes, { tab: this.#tab, intake: this.#intake }) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const isRequest = message.type === 'Mutation' || message.type === 'Action'
      // A resent mutation must not be answered with a failure: it may have been committed before.
      if (!isRequest || this.#recipient.isReturning) {
        return void this.#recipient.close(1013, 'TooManyConcurrentRequests')
      }
      return void this.#recipient.refuse(message, new AppError('rate_limited', { retryAfterMs: limits.BUSY_RETRY_MS }))
    }
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    try {
      for (let next = this.#waiting.shift(); next && this.#recipient.isOpen; next = this.#waiting.shift()) {
        // Awaited only where needed, so that a burst is handled synchronously.
        const handled = this.#recipient.handle(next)
        if (handled) await handled
      }
    } catch (error) {
      this.#logger.error({ err: error }, 'a client message could not be handled')
      this.#recipient.close(1011, 'InternalServerError')
    } finally {
      this.#isDraining = false
    }
  }
}
