// One socket: reads its messages in order, knows who it belongs to, and decides when results may be sent.
//
//            valid Authenticate
//          ┌────────────────────┐
//          ▼                    │
//   open ──┴─ identity ended ─► frozen ── no new token in time ──► closed
//     └────── rejected Authenticate, malformed message, stalled reader ──► closed
//
// Frozen: nothing is shown, and requests wait. The client is asked for a new token (AuthError) or leaves.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { JSON_BOUNDS, STRANGER_JSON_BOUNDS } from '#server/lib/bounded-json.ts'
import type { Logger } from '#server/lib/logger.ts'
import { TokenBucket } from '#server/lib/token-bucket.ts'
import { AppError } from '#shared/errors.ts'
import { refusalOf, weightOf } from './budget.ts'
import { type Clock, clockOffset } from './clock.ts'
import type { Audience, Flush } from './flush.ts'
import { textFrame } from './frames.ts'
import type { Call, Claims, Host, MutationCall, Outcome } from './host.ts'
import { Intake } from './intake.ts'
import * as limits from './limits.ts'
import type { Mutations, Requester } from './mutations.ts'
import * as protocol from './protocol.ts'
import type { Held, Tab } from './tab.ts'
import { View } from './view.ts'

/** What all sessions of a server share. */
export type SessionContext = { host: Host; clock: Clock; flush: Flush; mutations: Mutations; logger: Logger }

type State = 'open' | 'frozen' | 'closed'
type Request = protocol.MutationMessage | protocol.ActionMessage
/** `done` is called when nothing of the message waits any more. */
type Received<Message> = { message: Message; done: () => void }

/** Later timestamps cannot be ours, and would not fit when added to. */
const TIMESTAMP_MAX = 2n ** 62n

/** A socket, what it runs on (see frames.ts for why messages go there directly), and who pays for it. */
export type Connection = { socket: WebSocket; raw: Duplex; tab: Tab }

export class Session implements Audience, Requester {
  readonly view = new View()
  readonly #context: SessionContext
  readonly #socket: WebSocket
  readonly #raw: Duplex
  readonly #bucket = new TokenBucket(limits.MESSAGE_BURST, limits.MESSAGES_PER_SECOND)
  readonly #intake: Intake
  readonly #tab: Tab
  /** What the client has not taken yet of what it was sent. */
  readonly #unread: Held
  readonly #inbox: Received<protocol.ClientMessage>[] = []
  readonly #actions = new Set<AbortController>()
  #heldRequests: Received<Request>[] = []
  #state: State = 'open'
  #isDraining = false
  #clientSession: string | null = null
  #claims: Claims | null = null
  #identityTimer: NodeJS.Timeout | null = null
  /** Until this fires, the client may be sending what it had sent before on another socket. */
  #resendTimer: NodeJS.Timeout | null = null
  #isReturning = false
  #holds = 0
  #owedTs: bigint | null = null
  readonly #openedAt = Date.now()
  #lastSentAt = Date.now()
  #congestedSince: number | null = null
  /** The client has shown a valid token on this connection. */
  hasAuthenticated = false
  /** Called when that happens, each time. */
  onRecognized: () => void = () => {}

  constructor({ socket, raw, tab }: Connection, context: SessionContext) {
    this.#socket = socket
    this.#raw = raw
    this.#tab = tab
    this.#unread = tab.charge('unread', 0, 0)
    this.#context = context
    this.#intake = new Intake(socket)
    context.flush.add(this)
    socket.on('message', (data: Buffer, isBinary) => this.#receive(data, isBinary))
    socket.on('close', () => this.#end())
    raw.on('drain', () => this.#drained())
    // ws closes the socket after a malformed frame by itself; without a listener the error would end the process.
    socket.on('error', (error) => context.logger.debug({ err: error }, 'socket failed'))
  }

  get isOpen(): boolean {
    return this.#state !== 'closed'
  }
  get isListening(): boolean {
    return this.#state === 'open' && this.#holds === 0 && this.#congestedSince === null
  }
  get owedTs(): bigint | null {
    return this.#owedTs
  }

  /** Written and not yet taken by the network. */
  get bufferedBytes(): number {
    return this.#raw.writableLength
  }

  deliver(frames: readonly Buffer[]): void {
    for (const frame of frames) this.#write(frame)
    if (this.#raw.writableLength > limits.CONGESTED_BYTES) this.#congestedSince ??= Date.now()
  }

  answerMutation(requestId: number, outcome: Outcome, ts: bigint | null): void {
    const time = ts === null ? null : protocol.encodeU64(ts + this.view.offset)
    this.#send(protocol.mutationResponse(requestId, outcome, time))
    if (ts === null) return
    if (this.#owedTs === null || ts > this.#owedTs) this.#owedTs = ts
    this.#context.flush.touch(this.view)
  }

  giveUp(error: unknown): void {
    this.#context.logger.error({ err: error }, 'the outcome of a mutation is not known')
    this.close(1011, 'InternalServerError')
  }

  loseIdentity(): void {
    // A newer Authenticate may have been accepted since the identity was looked at.
    if (this.view.identity === this.view.announcedIdentity) this.#freeze('The session has ended')
  }

  /** Called every few seconds. */
  tick(now: number): void {
    if (this.#congestedSince !== null) {
      if (now - this.#congestedSince > limits.STALLED_MS) this.#socket.terminate()
    } else if (this.#clientSession === null && now - this.#openedAt > limits.CONNECT_WITHIN_MS) {
      this.close(1008, 'ConnectExpected')
    } else if (now - this.#lastSentAt >= limits.PING_AFTER_MS) this.#send(protocol.PING)
  }

  /** Closes the socket. The client comes back by itself; `reason` tells it how soon. */
  close(code: number, reason: string): void {
    if (this.#state === 'closed') return
    this.#end()
    this.#socket.close(code, reason)
    // A client that does not answer the closing handshake is not waited for long.
    setTimeout(() => this.#socket.terminate(), 2_000).unref()
  }

  #receive(data: Buffer, isBinary: boolean) {
    if (this.#state === 'closed') return
    if (!this.hasAuthenticated && data.length > limits.FRAME_MAX_ANONYMOUS) return this.close(1009, 'TooLarge')
    if (!this.#bucket.take()) return this.close(1013, 'TooManyConcurrentRequests')
    const bounds = this.hasAuthenticated ? JSON_BOUNDS : STRANGER_JSON_BOUNDS
    const message = isBinary ? undefined : protocol.parseClientMessage(data.toString(), bounds)
    if (!message) return this.close(1008, 'MalformedMessage')
    const received = this.#admit(message, data.length)
    if (!received) return
    this.#inbox.push(received)
    if (!this.#isDraining) void this.#drain()
  }

  /** Counts a message until nothing of it waits. Undefined: there is no room for it, and the client has been answered. */
  #admit(message: protocol.ClientMessage, bytes: number): Received<protocol.ClientMessage> | undefined {
    const isRequest = message.type === 'Mutation' || message.type === 'Action'
    try {
      const held = this.#tab.charge('pending', bytes + (isRequest ? weightOf(message.args) : 0))
      const counted = this.#intake.admit(bytes)
      return {
        message,
        done: () => {
          counted()
          held.release()
        },
      }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      // Of a mutation that is sent again the client must not be told that it failed: it may have been done before.
      if (!isRequest || this.#isReturning) return void this.close(1013, 'TooManyConcurrentRequests')
      const outcome = refusalOf(new AppError('rate_limited', { retryAfterMs: limits.BUSY_RETRY_MS }))
      const answer = message.type === 'Action' ? protocol.actionResponse : protocol.mutationResponse
      return void this.#send(answer(message.requestId, outcome, null))
    }
  }

  async #drain(): Promise<void> {
    this.#isDraining = true
    try {
      for (let next = this.#inbox.shift(); next && this.isOpen; next = this.#inbox.shift()) {
        // Only awaited where there is something to wait for: a burst is then handled in one go.
        const handled = this.#handle(next)
        if (handled) await handled
      }
    } catch (error) {
      this.#context.logger.error({ err: error }, 'a client message could not be handled')
      this.close(1011, 'InternalServerError')
    } finally {
      this.#isDraining = false
    }
  }

  #handle({ message, done }: Received<protocol.ClientMessage>): Promise<void> | undefined {
    if (message.type === 'Mutation' || message.type === 'Action') return void this.#request({ message, done })
    done()
    switch (message.type) {
      case 'Connect':
        return void this.#connect(message)
      case 'Authenticate':
        // What the client may send depends on who it is: until that is known, the rest of a burst waits in the network.
        return this.#authenticate(message).finally(this.#intake.hold())
      case 'ModifyQuerySet':
        return void this.#modifyQuerySet(message)
      case 'Event':
        return undefined
      default:
        return message satisfies never
    }
  }

  /** Nothing may come before Connect. */
  #isConnected(): boolean {
    if (this.#clientSession !== null) return true
    this.close(1008, 'ConnectExpected')
    return false
  }

  #connect({ sessionId, connectionCount, maxObservedTimestamp }: protocol.Connect) {
    if (this.#clientSession !== null) return this.close(1008, 'ConnectedAlready')
    const observed = maxObservedTimestamp ? protocol.decodeU64(maxObservedTimestamp) : null
    if (observed !== null && observed > TIMESTAMP_MAX) return this.close(1008, 'MalformedMessage')
    this.#clientSession = sessionId
    this.#isReturning = connectionCount > 0
    this.view.offset = clockOffset(this.#context.clock.next(), observed)
  }

  async #authenticate({ tokenType, value, baseVersion }: protocol.Authenticate) {
    if (!this.#isConnected()) return
    if (baseVersion !== this.view.identityVersion) return this.close(1008, 'IdentityVersionMismatch')
    if (tokenType === 'None') return this.#identify(null)
    const isUserToken = tokenType === 'User' && value !== undefined
    const answer = isUserToken
      ? await this.#context.host.authenticate(value, limits.AUTHENTICATE_PATIENCE_MS)
      : { refusal: 'Only user tokens are accepted' }
    if (!('refusal' in answer)) return this.#identify(answer)
    this.#send(protocol.authError(answer.refusal, baseVersion, true))
    // A client that has given up would otherwise keep a socket whose versions no longer match.
    this.close(1000, 'Unauthenticated')
  }

  #identify(claims: Claims | null): void {
    if (!this.isOpen) return
    const { flush } = this.#context
    const before = this.view.announcedIdentity
    this.view.identify(claims && flush.identities.acquire(claims))
    if (before) flush.identities.release(before)
    this.#claims = claims
    if (claims) this.#recognize(claims)
    this.#state = 'open'
    this.#expireAt(claims?.expiresAt ?? null)
    flush.arrive(this.view)
    const held = this.#heldRequests
    this.#heldRequests = []
    for (const request of held) this.#request(request)
  }

  #recognize({ userId }: Claims): void {
    this.hasAuthenticated = true
    this.#tab.identify(userId)
    this.#unread.release()
    this.onRecognized()
  }

  #expireAt(time: number | null): void {
    if (this.#identityTimer) clearTimeout(this.#identityTimer)
    if (time === null) return
    const delay = Math.min(Math.max(time - Date.now(), 0), 2 ** 31 - 1)
    this.#identityTimer = setTimeout(() => this.#freeze('The token has expired'), delay).unref()
  }

  /** Shows nothing more and runs nothing more until the client has proved again who it is. */
  #freeze(message: string): void {
    if (this.#state !== 'open') return
    this.#state = 'frozen'
    this.#send(protocol.authError(message, this.view.identityVersion - 1, false))
    if (this.#identityTimer) clearTimeout(this.#identityTimer)
    this.#identityTimer = setTimeout(() => this.close(1000, 'Unauthenticated'), limits.REAUTHENTICATE_MS).unref()
  }

  #modifyQuerySet(message: protocol.ModifyQuerySet) {
    if (!this.#isConnected()) return
    const max = this.hasAuthenticated ? limits.QUERIES_MAX : limits.QUERIES_MAX_ANONYMOUS
    const charge = (bytes: number) => this.#tab.charge('kept', bytes)
    if (!this.view.modify(message, { charge, max })) return this.close(1008, 'QuerySetVersionMismatch')
    if (this.#isReturning && message.baseVersion === 0) this.#awaitResends()
    this.#context.flush.arrive(this.view)
  }

  /** The first results wait until the answers to unfinished mutations are out: see commits.ts. */
  #awaitResends(): void {
    this.#holds++
    this.#resendTimer = setTimeout(() => {
      this.#resendTimer = null
      this.#isReturning = false
      this.#unhold()
    }, limits.RESEND_QUIET_MS)
  }

  #unhold(): void {
    this.#holds--
    if (this.#holds === 0) this.#context.flush.touch(this.view)
  }

  #request(received: Received<Request>) {
    const { message, done } = received
    if (!this.#isConnected()) return done()
    if (this.#state === 'frozen') return void this.#heldRequests.push(received)
    const { requestId } = message
    const call = { claims: this.#claims, path: message.udfPath, args: message.args[0] ?? {} }
    if (message.type === 'Action') return void this.#act(requestId, call, done)
    void this.#mutate({ ...call, clientSession: this.#clientSession ?? '', requestId }, done)
  }

  async #mutate(call: MutationCall, done: () => void): Promise<void> {
    const mayBeRepeated = this.#isReturning
    if (mayBeRepeated) this.#holds++
    this.#resendTimer?.refresh()
    await this.#context.mutations.submit(this, call, { mayBeRepeated, done })
    if (mayBeRepeated) this.#unhold()
  }

  async #act(requestId: number, call: Call, done: () => void): Promise<void> {
    const controller = new AbortController()
    this.#actions.add(controller)
    const outcome = await this.#context.host.call(['action'], call, controller.signal)
    this.#actions.delete(controller)
    this.#send(protocol.actionResponse(requestId, outcome))
    done()
  }
  #send(message: string): void {
    this.#write(textFrame(message))
  }

  #write(frame: Buffer): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    if (this.#raw.writableLength > limits.BUFFERED_MAX) {
      this.#socket.terminate()
      return
    }
    this.#lastSentAt = Date.now()
    if (this.hasAuthenticated) this.#raw.write(frame)
    else if (!this.#unread.resize(this.#raw.writableLength + frame.length)) this.#socket.terminate()
    else this.#raw.write(frame, () => this.#unread.resize(this.#raw.writableLength))
  }

  #drained(): void {
    if (this.#congestedSince === null) return
    this.#congestedSince = null
    this.#context.flush.touch(this.view)
  }

  #end(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    if (this.#identityTimer) clearTimeout(this.#identityTimer)
    if (this.#resendTimer) clearTimeout(this.#resendTimer)
    for (const action of this.#actions) action.abort(new Error('The connection was closed'))
    for (const { done } of [...this.#inbox, ...this.#heldRequests]) done()
    this.#inbox.length = 0
    this.#heldRequests = []
    this.#unread.release()
    const { flush } = this.#context
    flush.remove(this)
    const identity = this.view.announcedIdentity
    if (identity) flush.identities.release(identity)
  }
}
