// One socket: reads its messages in order, knows who it belongs to, and decides when results may be sent.
//
//            valid Authenticate
//          ┌────────────────────┐
//          ▼                    │
//   open ──┴─ identity ended ─► frozen ── no new token in time ──► closed
//     └────── rejected Authenticate, malformed message (FatalError), stalled reader ──► closed
//
// Frozen: nothing is shown, and requests wait. The client is asked for a new token (AuthError) or leaves.
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Logger } from '#server/platform/lib/logger.ts'
import type { Party } from '#server/platform/lib/scheduling/fair-queue.ts'
import { onBehalfOf } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { AppError } from '#shared/errors.ts'
import { Actions } from './actions.ts'
import { refusalOf } from './budget.ts'
import { type Clock, clockOffset } from './clock.ts'
import { announceClosing, type FatalReason, fatalMessage } from './fatal.ts'
import type { SharedMessage } from './frames.ts'
import type { Call, Claims, Host, MutationCall, Outcome } from './host.ts'
import { Inbox, type Received, type Recipient, type RequestMessage } from './inbox.ts'
import type { Lanes } from './lanes.ts'
import * as limits from './limits.ts'
import type { Mutations, Requester } from './mutations.ts'
import { Outlet } from './outlet.ts'
import { partyOfClient } from './parties.ts'
import * as protocol from './protocol.ts'
import { Resends } from './resends.ts'
import type { Client } from './subscription-broadcaster.ts'
import type { Tab } from './tab.ts'
import { View } from './view.ts'

/** What all sessions of a server share. */
export type SessionContext = { host: Host; clock: Clock; lanes: Lanes; mutations: Mutations; logger: Logger }

type State = 'open' | 'frozen' | 'closed'

/** Later timestamps cannot be ours, and would not fit when added to. */
const TIMESTAMP_MAX = 2n ** 62n

/** A socket, what it runs on (see frames.ts for why messages go there directly), where it comes from, and who pays for what it keeps. */
export type Connection = { socket: WebSocket; raw: Duplex; address: string; tab: Tab }

export class Session implements Client, Recipient, Requester {
  readonly view = new View()
  readonly #context: SessionContext
  readonly #socket: WebSocket
  readonly #tab: Tab
  readonly #address: string
  /** On whose behalf its work is done, and the lane that it is kept current in. */
  #party: Party
  #lane: ReturnType<Lanes['enter']>
  readonly #outlet: Outlet
  readonly #inbox: Inbox
  readonly #actions = new Actions()
  readonly #resends = new Resends(() => this.#lane.broadcaster.markDirty(this.view))
  #heldRequests: Received<RequestMessage>[] = []
  #state: State = 'open'
  #clientSession: string | null = null
  #claims: Claims | null = null
  #identityTimer: NodeJS.Timeout | null = null
  #pendingTs: bigint | null = null
  readonly #openedAt = Date.now()
  /** The client's clock minus ours, milliseconds; null: not known. */
  #clockSkew: number | null = null
  /** The client has shown a valid token on this connection. */
  hasAuthenticated = false
  /** Called when that happens, each time. */
  onRecognized: () => void = () => {}

  constructor({ socket, raw, address, tab }: Connection, context: SessionContext) {
    this.#socket = socket
    this.#tab = tab
    const onFree = () => this.#lane.broadcaster.resume(this.view)
    this.#outlet = new Outlet({ socket, raw, unread: tab.charge('unread', 0, 0), onFree })
    this.#context = context
    this.#address = address
    this.#party = partyOfClient(null, address)
    this.#lane = context.lanes.enter(this.#party)
    this.#lane.broadcaster.add(this)
    this.#inbox = new Inbox(this, { socket, tab, logger: context.logger })
    socket.on('close', () => this.#end())
    // ws closes the socket after a malformed frame by itself; without a listener the error would end the process.
    socket.on('error', (error) => context.logger.debug({ err: error }, 'socket failed'))
    announceClosing(socket, (message) => this.#outlet.send(message))
  }

  get isOpen(): boolean {
    return this.#state !== 'closed'
  }
  get isListening(): boolean {
    return this.#state === 'open' && !this.#resends.isPending && this.#outlet.isFree
  }
  get pendingTs(): bigint | null {
    return this.#pendingTs
  }
  get isReturning(): boolean {
    return this.#resends.isReturning
  }

  /** Settles when the client is authenticated or refused; undefined while neither is under way. */
  get verdict(): Promise<void> | undefined {
    return this.#inbox.verdict
  }

  /** Written and not yet taken by the network. */
  get bufferedBytes(): number {
    return this.#outlet.bufferedBytes
  }

  deliver(messages: readonly SharedMessage[], isNewIdentity: boolean): void {
    // By this message the official client decides when to refresh its token, with another clock than the one it has reported: that of a page
    // that was open for long before it connected runs ahead, and the refresh would come too late.
    const isMisleading = isNewIdentity && (this.#clockSkew ?? 0) > limits.CLOCK_AHEAD_MAX_MS
    this.#outlet.sendState(messages, protocol.clockSkewText(isMisleading ? null : this.#clockSkew))
  }

  answerMutation(requestId: number, outcome: Outcome, ts: bigint | null): void {
    const time = ts === null ? null : protocol.encodeU64(ts + this.view.offset)
    this.#outlet.send(protocol.mutationResponse(requestId, outcome, time))
    if (ts === null) return
    if (this.#pendingTs === null || ts > this.#pendingTs) this.#pendingTs = ts
    this.#lane.broadcaster.markDirty(this.view)
  }

  refuse({ type, requestId }: RequestMessage, error: AppError): void {
    const answer = type === 'Action' ? protocol.actionResponse : protocol.mutationResponse
    this.#outlet.send(answer(requestId, refusalOf(error), null))
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
    this.#outlet.tick(now)
    if (this.#clientSession === null && now - this.#openedAt > limits.CONNECT_WITHIN_MS) {
      this.close(1008, 'ConnectExpected')
    } else if (now - this.#outlet.lastSentAt >= limits.PING_AFTER_MS) this.#outlet.send(protocol.PING)
  }

  /** Closes the socket. The client reconnects; `reason` tells it how soon. */
  close(code: number, reason: string): void {
    if (this.#state === 'closed') return
    this.#end()
    this.#socket.close(code, reason)
    // A client that does not answer the closing handshake is not waited for long.
    setTimeout(() => this.#socket.terminate(), 2_000).unref()
  }

  /** Closes the socket for an error that the client would repeat: it must not reconnect. */
  fail(code: number, reason: FatalReason): void {
    if (this.#state === 'closed') return
    this.#outlet.send(fatalMessage(reason))
    this.close(code, reason)
  }

  handle({ message, done }: Received<protocol.ClientMessage>): Promise<void> | undefined {
    if (message.type === 'Mutation' || message.type === 'Action') return void this.#request({ message, done })
    done()
    switch (message.type) {
      case 'Connect':
        return void this.#connect(message)
      case 'Authenticate':
        return this.#inbox.judgeAfter(this.#authenticate(message))
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
    this.fail(1008, 'ConnectExpected')
    return false
  }

  #connect({ sessionId, connectionCount, maxObservedTimestamp, clientTs }: protocol.Connect) {
    if (this.#clientSession !== null) return this.fail(1008, 'ConnectedAlready')
    const observed = maxObservedTimestamp ? protocol.decodeU64(maxObservedTimestamp) : null
    if (observed !== null && observed > TIMESTAMP_MAX) return this.fail(1008, 'MalformedMessage')
    this.#clientSession = sessionId
    if (connectionCount > 0) this.#resends.begin()
    if (clientTs !== undefined) this.#clockSkew = Math.round(clientTs - Date.now())
    this.view.offset = clockOffset(this.#context.clock.next(), observed)
  }

  async #authenticate({ tokenType, value, baseVersion }: protocol.Authenticate) {
    if (!this.#isConnected()) return
    if (baseVersion !== this.view.identityVersion) return this.fail(1008, 'IdentityVersionMismatch')
    if (tokenType === 'None') return this.#identify(null)
    const isUserToken = tokenType === 'User' && value !== undefined
    const answer = isUserToken
      ? await onBehalfOf(this.#party, () => this.#context.host.authenticate(value, limits.AUTHENTICATE_PATIENCE_MS))
      : { refusal: 'Only user tokens are accepted' }
    if (!('refusal' in answer)) return this.#identify(answer)
    this.#outlet.send(protocol.authError(answer.refusal, baseVersion, true))
    // A client that has given up would otherwise keep a socket whose versions no longer match.
    this.close(1000, 'Unauthenticated')
  }

  #identify(claims: Claims | null): void {
    if (!this.isOpen) return
    const left = this.#lane
    const before = this.view.announcedIdentity
    this.#enterLane(partyOfClient(claims, this.#address))
    const { broadcaster } = this.#lane
    this.view.identify(claims && broadcaster.identities.acquire(claims))
    if (before) left.broadcaster.identities.release(before)
    if (left !== this.#lane) left.leave()
    this.#claims = claims
    if (claims) this.#recognize(claims)
    this.#state = 'open'
    this.#expireAt(claims?.expiresAt ?? null)
    broadcaster.subscribe(this.view)
    const held = this.#heldRequests
    this.#heldRequests = []
    for (const request of held) this.#request(request)
  }

  /** The caller releases the previous lane. */
  #enterLane(party: Party): void {
    this.#party = party
    const entered = this.#context.lanes.enter(party)
    if (entered.broadcaster === this.#lane.broadcaster) {
      entered.leave()
      return
    }
    this.#lane.broadcaster.dismiss(this)
    this.#lane = entered
    entered.broadcaster.add(this)
  }

  #recognize({ userId }: Claims): void {
    this.hasAuthenticated = true
    this.#tab.identify(userId)
    this.#outlet.chargeNothing()
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
    this.#outlet.send(protocol.authError(message, this.view.identityVersion - 1, false))
    if (this.#identityTimer) clearTimeout(this.#identityTimer)
    this.#identityTimer = setTimeout(() => this.close(1000, 'Unauthenticated'), limits.REAUTHENTICATE_MS).unref()
  }

  #modifyQuerySet(message: protocol.ModifyQuerySet) {
    if (!this.#isConnected()) return
    if (message.modifications.length > limits.MODIFICATIONS_MAX) return this.fail(1008, 'TooManyQueries')
    const charge = (bytes: number) => this.#tab.charge('kept', bytes)
    if (!this.view.modify(message, charge)) return this.fail(1008, 'QuerySetVersionMismatch')
    if (this.view.refusals > limits.REFUSALS_MAX) return this.close(1013, 'TooManyConcurrentRequests')
    if (this.isReturning && message.baseVersion === 0) this.#resends.awaitQuiet()
    this.#lane.broadcaster.subscribe(this.view)
  }

  #request(received: Received<RequestMessage>) {
    const { message, done } = received
    if (!this.#isConnected()) return done()
    if (this.#state === 'frozen') return void this.#heldRequests.push(received)
    const { requestId } = message
    const call = { claims: this.#claims, path: message.udfPath, args: message.args[0] ?? {}, address: this.#address }
    if (message.type === 'Action') return void this.#act(requestId, call, done)
    void this.#mutate({ ...call, clientSession: this.#clientSession ?? '', requestId }, done)
  }

  async #mutate(call: MutationCall, done: () => void): Promise<void> {
    const { commits } = this.#lane.broadcaster
    await this.#resends.during((mayBeRepeated) =>
      onBehalfOf(this.#party, () => this.#context.mutations.submit(this, call, { commits, mayBeRepeated, done })),
    )
  }

  async #act(requestId: number, call: Call, done: () => void): Promise<void> {
    const { host } = this.#context
    const outcome = await this.#actions.run((signal) =>
      onBehalfOf(this.#party, () => host.call(['action'], call, signal)),
    )
    this.#outlet.send(protocol.actionResponse(requestId, outcome))
    done()
  }

  #end(): void {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    if (this.#identityTimer) clearTimeout(this.#identityTimer)
    this.#resends.end()
    this.#actions.abort()
    this.#inbox.clear()
    for (const { done } of this.#heldRequests) done()
    this.#heldRequests = []
    this.#outlet.chargeNothing()
    const { broadcaster, leave } = this.#lane
    broadcaster.remove(this)
    const identity = this.view.announcedIdentity
    if (identity) broadcaster.identities.release(identity)
    leave()
  }
}
