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
import type { Logger } from '#server/lib/logger.ts'
import { TokenBucket } from '#server/lib/token-bucket.ts'
import { type Clock, clockOffset } from './clock.ts'
import type { Audience, Flush } from './flush.ts'
import { textFrame } from './frames.ts'
import type { Call, Claims, Host, MutationCall, Outcome } from './host.ts'
import { Intake } from './intake.ts'
import * as limits from './limits.ts'
import type { Mutations, Requester } from './mutations.ts'
import * as protocol from './protocol.ts'
import { View } from './view.ts'

/** What all sessions of a server share. */
export type SessionContext = { host: Host; clock: Clock; flush: Flush; mutations: Mutations; logger: Logger }

type State = 'open' | 'frozen' | 'closed'
type Request = protocol.MutationMessage | protocol.ActionMessage
/** `done` is called when nothing of the message waits any more. */
type Received<Message> = { message: Message; done: () => void }

/** Later timestamps cannot be ours, and would not fit when added to. */
const TIMESTAMP_MAX = 2n ** 62n

export class Session implements Audience, Requester {
  readonly view = new View()
  readonly #context: SessionContext
  readonly #socket: WebSocket
  /** What the websocket runs on: see frames.ts for why messages go there directly. */
  readonly #raw: Duplex
  readonly #bucket = new TokenBucket(limits.MESSAGE_BURST, limits.MESSAGES_PER_SECOND)
  readonly #intake: Intake
  readonly #inbox: Received<protocol.ClientMessage>[] = []
  /** What to call when a mutation is answered, by request. */
  readonly #mutating = new Map<number, () => void>()
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

  constructor(socket: WebSocket, raw: Duplex, context: SessionContext) {
    this.#socket = socket
    this.#raw = raw
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
    this.#mutating.get(requestId)?.()
    this.#mutating.delete(requestId)
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
    const message = isBinary ? undefined : protocol.parseClientMessage(data.toString())
    if (!message) return this.close(1008, 'MalformedMessage')
    this.#inbox.push({ message, done: this.#intake.admit(data.length) })
    if (!this.#isDraining) void this.#drain()
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
        return this.#authenticate(message)
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
    this.hasAuthenticated ||= claims !== null
    this.#state = 'open'
    this.#expireAt(claims?.expiresAt ?? null)
    flush.arrive(this.view)
    const held = this.#heldRequests
    this.#heldRequests = []
    for (const request of held) this.#request(request)
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
    if (!this.view.modify(message)) return this.close(1008, 'QuerySetVersionMismatch')
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
    if (!this.#isConnected()) return
    if (this.#state === 'frozen') return void this.#heldRequests.push(received)
    const { message, done } = received
    const { requestId } = message
    const call = { claims: this.#claims, path: message.udfPath, args: message.args[0] ?? {} }
    if (message.type === 'Action') return void this.#act(requestId, call, done)
    this.#mutating.set(requestId, done)
    void this.#mutate({ ...call, clientSession: this.#clientSession ?? '', requestId })
  }

  async #mutate(call: MutationCall): Promise<void> {
    const mayBeRepeated = this.#isReturning
    if (mayBeRepeated) this.#holds++
    this.#resendTimer?.refresh()
    await this.#context.mutations.submit(this, call, mayBeRepeated)
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
    this.#raw.write(frame)
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
    this.#inbox.length = 0
    this.#heldRequests = []
    const { flush } = this.#context
    flush.remove(this)
    const identity = this.view.announcedIdentity
    if (identity) flush.identities.release(identity)
  }
}
