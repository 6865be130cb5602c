// Sends the parts in the outbox. A part is sent only after its status `sending` is committed. Outcomes are recorded in batches: while
// one batch is being written, the next is collected.

import { setTimeout as sleep } from 'node:timers/promises'
import { credentialsOf } from '#server/domain/channels/connections/access.ts'
import { setConnectionError } from '#server/domain/channels/connections/connections.store.ts'
import { startAttempt } from '#server/domain/channels/health/delivery-attempts.store.ts'
import { requeueUnanswered } from '#server/domain/channels/health/owed-answers.store.ts'
import { AdapterError } from '#server/integrations/channels/contract/adapter-error.ts'
import type { ChannelAdapter } from '#server/integrations/channels/contract/channel.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { manifestOf } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import { beginCapped } from '../outbox/deliver.caps.store.ts'
import {
  claimParts,
  countStatements,
  type OutgoingPart,
  recordAndBegin,
  returnParts,
  type SendOutcome,
  type SendPermit,
  setAside,
} from '../outbox/deliver.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { SendSlot } from '../turns/slots.ts'
import { createBreaker } from './deliver.breaker.ts'
import { createPacer } from './deliver.pace.ts'
import { judgeFailure, notSent } from './deliver.rules.ts'
import { bytesOf, sendPart } from './deliver.send.ts'
import { checkWindow } from './deliver.window.ts'
import { type Place, SENDS_AT_ONCE, SendSemaphore } from './send-concurrency.ts'
import { showTypingFor } from './typing.ts'

/** Delay after a failed transaction on the outbox. */
const RETRY_MS = 500

/**
 * Milliseconds after its request within which a permit may be used: less than its lease. A process that stalled for longer may have lost
 * the part to another one.
 */
const PERMIT_MS = 25_000

/** When it was requested: on a monotonic clock, and on a wall clock that also counts the time the machine is suspended; milliseconds. */
type UsablePermit = SendPermit & { askedAt: Moment }
type Moment = { steady: number; wall: number }

/** Sends as soon as it is given something. */
export class Deliverer {
  readonly #ctx: PipelineContext
  readonly #breaker = createBreaker()
  readonly #pacer = createPacer()
  /** How many parts this process has sent, by channel. */
  readonly sentParts = new Map<string, number>()
  /** Claimed, and not yet begun. */
  #waiting: OutgoingPart[] = []
  /** Used by slots, and by parts that are begun. */
  readonly #room = new SendSemaphore(() => {
    this.#flush()
    void this.claim()
  })
  readonly #inFlight = new Map<string, Place>()
  /** Ids with a slot: they may be recorded as being sent at this moment. */
  readonly #reserved = new Set<string>()
  #outcomes: SendOutcome[] = []
  /** Outcomes that are not known to be recorded, those that are being written included. */
  readonly #unwritten = new Set<SendOutcome>()
  #refusedTokens: { part: OutgoingPart; error: string; begunAt: Date }[] = []
  /** Transactions that are under way. */
  #beginning: Promise<void> | null = null
  #recording: Promise<void> | null = null
  #claiming: Promise<void> | null = null
  #isClaimWanted = false
  #isStopping = false

  constructor(ctx: PipelineContext) {
    this.#ctx = ctx
  }

  /** Sends parts that were claimed for this process. */
  take(parts: OutgoingPart[]): void {
    const held = this.held()
    this.#waiting.push(...parts.filter(({ id }) => !held.has(id)))
    this.#flush()
  }

  /** A slot for a part that is recorded as being sent; null: it is recorded as claimed, and waits its turn. */
  reserve(connectionId: Id<'channelConnections'>, id: Id<'outbox'>): SendSlot | null {
    if (this.#isStopping || this.#maySend() || !this.#breaker.isClosed(connectionId)) return null
    const place = this.#room.take(connectionId)
    if (!place) return null
    const askedAt = moment()
    this.#reserved.add(id)
    const end = () => {
      this.#reserved.delete(id)
      place.end()
      this.#flush()
    }
    return {
      begin: (part, permit) => {
        this.#inFlight.set(part.id, place)
        this.#reserved.delete(id)
        void this.#send(part, { ...permit, askedAt })
        this.#flush()
      },
      release: end,
      giveBack: () => {
        this.forgo([id])
        end()
      },
    }
  }

  /** Claims what is due, and sends it. */
  claim(): Promise<void> {
    this.#isClaimWanted = true
    this.#claiming ??= this.#claimAll()
      .catch((error: unknown) => this.#ctx.logger.error({ err: error }, 'parts were not claimed'))
      .finally(() => {
        this.#claiming = null
      })
    return this.#claiming
  }

  /** Parts that this process holds, and those whose outcome is not recorded yet. */
  held(): Set<string> {
    const known = [...this.#waiting, ...this.#unwritten].map(({ id }) => id)
    return new Set([...known, ...this.#inFlight.keys(), ...this.#reserved])
  }

  isIdle(): boolean {
    return this.#waiting.length === 0 && this.#isQuiet() && this.#claiming === null
  }

  /** Begins no more sends, waits for those under way (at most `limitMs`) and releases the rest. */
  async stop(limitMs: number): Promise<void> {
    this.#isStopping = true
    await this.#claiming
    const until = Date.now() + limitMs
    while (!this.#isQuiet() && Date.now() < until) await sleep(10)
    this.#waiting = []
    await this.#ctx
      .system('pipeline: give parts back', (store) => returnParts(store, this.#ctx.owner()))
      .catch((error: unknown) => this.#ctx.logger.error({ err: error }, 'parts wait for another server to take over'))
  }

  #isQuiet(): boolean {
    return this.#room.isEmpty() && this.#outcomes.length === 0 && !this.#beginning && !this.#recording
  }

  /** Whether anything that waits may leave. */
  #maySend(): boolean {
    return !this.#isStopping && this.#waiting.some(({ connectionId }) => this.#room.hasFor(connectionId))
  }

  async #claimAll(): Promise<void> {
    while (this.#isClaimWanted && !this.#isStopping) {
      const waiting = this.#waiting.map(({ connectionId }) => connectionId)
      const limit = 2 * SENDS_AT_ONCE - waiting.filter((id) => !this.#room.isSlow(id)).length
      if (limit <= 0) return // still wanted, when there is room again
      this.#isClaimWanted = false
      const wanted = { owner: this.#ctx.owner(), limit, busy: this.#room.busy(waiting) }
      const parts = await this.#ctx.system('pipeline: claim parts', (store) => claimParts(store, wanted))
      if (parts.length > 0) failpoint('parts-claimed')
      this.take(parts)
    }
  }

  /** A part that may leave never waits for outcomes that are being recorded; outcomes wait for a part to travel with. */
  #flush(): void {
    if (this.#beginning) return
    if (this.#maySend()) {
      this.#beginning = this.#writeAndStart().finally(() => {
        this.#beginning = null
        this.#flush()
      })
    } else if (this.#outcomes.length > 0 && !this.#recording) {
      this.#recording = this.#writeAndStart().finally(() => {
        this.#recording = null
        this.#flush()
      })
    }
  }

  /** One transaction for the outcomes so far and for the next sends; only those that it allows are begun. */
  async #writeAndStart(): Promise<void> {
    const batch = this.#isStopping ? [] : this.#pick()
    const outcomes = this.#outcomes
    this.#outcomes = []
    const askedAt = moment()
    try {
      const ids = batch.map((part) => part.id)
      const write = (store: StoreContext) => recordAndBegin(store, this.#ctx.owner(), outcomes, ids)
      const statements = countStatements(outcomes, ids)
      const skipsDispatch = () => outcomes.every(({ status, isPaced }) => status === 'sent' && !isPaced)
      const { permitted, hasNext } = await this.#ctx.system(
        ids.length > 0 ? 'pipeline: record and begin sends' : 'pipeline: record sends',
        write,
        statements ? { statements, skipsDispatch } : { skipsDispatch },
      )
      if (outcomes.length > 0) failpoint('part-recorded')
      for (const outcome of outcomes) this.#unwritten.delete(outcome)
      this.#isClaimWanted ||= hasNext
      const capped = permitted.length < ids.length ? await this.#beginOrSetAside(ids, permitted) : []
      this.#start(
        batch,
        [...permitted, ...capped].map((permit) => ({ ...permit, askedAt })),
      )
    } catch (error) {
      await this.#keepForLater(batch, outcomes, error)
      return
    }
    await this.#reportRefusedTokens()
    // After an outcome the next part of the same conversation may go.
    if (outcomes.length > 0 && this.#isClaimWanted) void this.claim()
  }

  /** Parts that cannot be set aside because this fails stay claimed until their lease ends. @returns what may begin after all */
  async #beginOrSetAside(ids: Id<'outbox'>[], begun: SendPermit[]): Promise<SendPermit[]> {
    let permits: SendPermit[] = []
    try {
      const capped = await this.#ctx.system('pipeline: begin capped sends', (store) =>
        beginCapped(store, this.#ctx.owner(), ids),
      )
      permits = capped.permits
      if (begun.length + permits.length + capped.put === ids.length) return permits
      const isAnyGiven = await this.#ctx.system('pipeline: set parts aside', (store) =>
        setAside(store, this.#ctx.owner(), ids),
      )
      if (isAnyGiven) void this.claim()
    } catch (error) {
      this.#ctx.logger.error({ err: error }, 'parts were not set aside')
      const begins = new Set([...begun, ...permits].map(({ id }) => id))
      if (error instanceof CommitUnknownError) this.forgo(ids.filter((id) => !begins.has(id)))
    }
    return permits
  }

  /** Nothing of the batch was sent: it is retried, or released where it is unknown whether it was marked as being sent. */
  async #keepForLater(batch: OutgoingPart[], outcomes: SendOutcome[], error: unknown): Promise<void> {
    this.#ctx.logger.error({ err: error }, 'the outbox was not written')
    for (const part of batch) this.#leave(part)
    if (error instanceof CommitUnknownError) this.forgo(batch.map(({ id }) => id))
    else this.#waiting.unshift(...batch)
    this.#outcomes.unshift(...outcomes)
    await sleep(RETRY_MS)
  }

  #conclude(outcome: SendOutcome): void {
    this.#unwritten.add(outcome)
    this.#outcomes.push(outcome)
  }

  /** Parts that may be marked as being sent although none has left: they become due again. */
  forgo(ids: Id<'outbox'>[]): void {
    if (ids.length === 0) return
    for (const id of ids) this.#conclude(notSent(id, this.#ctx.owner()))
    this.#isClaimWanted = true
    this.#flush()
  }

  #start(batch: OutgoingPart[], permits: UsablePermit[]): void {
    const allowed = new Map(permits.map((permit) => [permit.id, permit]))
    for (const part of batch) {
      const permit = allowed.get(part.id)
      if (permit) void this.#send(part, permit)
      else this.#leave(part)
    }
  }

  /** Removes what may leave now from what waits, in order. */
  #pick(): OutgoingPart[] {
    const batch: OutgoingPart[] = []
    const rest: OutgoingPart[] = []
    for (const part of this.#waiting) {
      const place = this.#room.take(part.connectionId)
      if (place) this.#inFlight.set(part.id, place)
      ;(place ? batch : rest).push(part)
    }
    this.#waiting = rest
    return batch
  }

  #leave({ id }: OutgoingPart): void {
    this.#inFlight.get(id)?.end()
    this.#inFlight.delete(id)
  }

  async #send(part: OutgoingPart, permit: UsablePermit): Promise<void> {
    this.#inFlight.get(part.id)?.start()
    const outcome = await this.#attempt(part, permit)
    this.#conclude(outcome)
    this.#leave(part)
    if (part.nextDelayMs === 0) this.#isClaimWanted ||= part.hasNext
    else if (outcome.status === 'sent') showTypingFor(this.#ctx, part, part.nextDelayMs)
    this.#flush()
  }

  /** Never throws: every failure is an outcome. */
  async #attempt(part: OutgoingPart, permit: UsablePermit): Promise<SendOutcome> {
    const { id, connectionId } = part
    const isPaced = part.nextDelayMs > 0
    const { services, connectionActivity, logger } = this.#ctx
    const adapter: ChannelAdapter = services.channels[permit.channel]
    const { pace, traits } = adapter
    const { logsAttempts } = traits
    const dropsRepeats = willDropRepeats(adapter, permit)
    const base = {
      id,
      attempt: permit.attempt,
      isPaced,
      hasReceipts: traits.tellsReceipts ?? false,
      counted: permit.counted,
    }
    const delayMs =
      this.#breaker.waitMs(connectionId, Date.now()) || (pace ? this.#pacer.waitMs(part, pace, Date.now()) : 0)
    const notTried = { status: 'queued', externalMessageId: null, mayHaveArrived: false, logged: null } as const
    if (delayMs > 0) return { ...base, ...notTried, error: 'temporary: waiting', delayMs }
    const log = logsAttempts ? startAttempt(part, permit) : () => null
    try {
      const credentials = credentialsOf(services.secrets, { ...permit, id: connectionId })
      await checkWindow(this.#ctx, manifestOf(permit.channel)?.replyWindowMs ?? null, part)
      const bytes = part.file && (await bytesOf(services, part.file))
      failpoint('part-sending')
      if (isTooOld(permit)) return { ...base, ...notTried, error: 'temporary: stood still', delayMs: 0 }
      if (permit.mayHaveArrived && traits.dropsRepeatsForMs !== undefined && !dropsRepeats)
        throw new AdapterError('unknown_outcome', 'too late to be sent again')
      const { externalMessageId, status: answered } = await sendPart(services, permit.channel, credentials, part, bytes)
      failpoint('part-sent')
      connectionActivity.sent(connectionId, permit.begunAt)
      this.sentParts.set(permit.channel, 1 + (this.sentParts.get(permit.channel) ?? 0))
      this.#breaker.succeeded(connectionId)
      const logged = log({ outcome: 'sent', httpStatus: answered ?? null, reason: null })
      const end = { status: 'sent', error: null, mayHaveArrived: false, delayMs: 0 } as const
      return { ...base, externalMessageId, ...end, logged }
    } catch (error) {
      const { isTokenRefused, isUnreachable, isAccountsFault, ...verdict } = judgeFailure(error, permit, dropsRepeats)
      logger.warn({ outboxId: id, ...verdict }, 'a part was not sent')
      if (isUnreachable || isTokenRefused) this.#breaker.failed(connectionId, Date.now())
      if ((isUnreachable || isAccountsFault) && !logsAttempts) connectionActivity.failed(connectionId, verdict.error)
      if (isTokenRefused) this.#refusedTokens.push({ part, error: verdict.error, begunAt: permit.begunAt })
      const httpStatus = error instanceof AdapterError ? error.status : null
      const logged = log({ outcome: verdict.status, httpStatus, reason: verdict.error })
      return { ...base, externalMessageId: null, ...verdict, logged }
    }
  }

  async #reportRefusedTokens(): Promise<void> {
    const refused = this.#refusedTokens
    this.#refusedTokens = []
    for (const { part, error, begunAt } of refused) {
      await this.#ctx
        .organization(part.organizationId, async (store) => {
          await setConnectionError(store, part.connectionId, error, begunAt)
          await requeueUnanswered(store, part.connectionId)
        })
        .catch((again: unknown) => this.#ctx.logger.error({ err: again }, 'a refused token was not noted'))
    }
  }
}

/** Whether a part that may have arrived can still be resent. */
function willDropRepeats({ traits }: ChannelAdapter, { triedForMs }: UsablePermit): boolean {
  return traits.dropsRepeatsForMs !== undefined && triedForMs < traits.dropsRepeatsForMs
}

function moment(): Moment {
  return { steady: performance.now(), wall: Date.now() }
}

/** True also when the clock was set forward meanwhile, which costs one needless new request. */
function isTooOld({ askedAt }: UsablePermit): boolean {
  const now = moment()
  return Math.max(now.steady - askedAt.steady, now.wall - askedAt.wall) > PERMIT_MS
}
