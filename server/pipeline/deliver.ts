// Sends what stands in the outbox. A part leaves only after `sending` is committed, and what became of it is written down in
// batches: while one transaction runs, the next batch gathers.
import { credentialsOf } from '#server/features/channels/access.ts'
import { setConnectionError } from '#server/features/channels/connections.store.ts'
import { judgeFailure } from './deliver.rules.ts'
import {
  claimParts,
  markSending,
  type OutgoingPart,
  recordOutcomes,
  returnParts,
  type SendOutcome,
  type SendPermit,
} from './deliver.store.ts'
import type { PipelineContext } from './pipeline-context.ts'

/** Sends under way at once. A hard kill leaves at most so many of unknown outcome. */
const SENDS_AT_ONCE = 16

export interface Deliverer {
  /** Parts that were claimed for this process. */
  take(parts: OutgoingPart[]): void
  /** Claims what is due. */
  claim(): Promise<void>
  /** Parts in the hands of this process. */
  held(): string[]
  isIdle(): boolean
  /** Sends nothing more, waits for what is under way (at most `limitMs`) and gives the rest back. */
  stop(limitMs: number): Promise<void>
}

/** A deliverer that sends as soon as it is given something. */
export function createDeliverer(ctx: PipelineContext): Deliverer {
  const waiting: OutgoingPart[] = []
  const inFlight = new Map<string, OutgoingPart>()
  let outcomes: SendOutcome[] = []
  let brokenConnections: { part: OutgoingPart; error: string }[] = []
  let isClaiming = false
  let isClaimWanted = false
  let flushing: Promise<void> | null = null
  let isStopping = false

  const flush = () => {
    flushing ??= run().finally(() => {
      flushing = null
      if (hasTask()) flush()
    })
  }
  const hasTask = () => outcomes.length > 0 || (!isStopping && waiting.length > 0 && inFlight.size < SENDS_AT_ONCE)

  async function run(): Promise<void> {
    const batch = isStopping ? [] : waiting.splice(0, Math.max(0, SENDS_AT_ONCE - inFlight.size))
    for (const part of batch) inFlight.set(part.id, part)
    const results = outcomes
    outcomes = []
    try {
      const permits = await ctx.system('pipeline: record and mark sends', async (store) => {
        if (results.length > 0) await recordOutcomes(store, results)
        return batch.length > 0
          ? markSending(
              store,
              ctx.owner(),
              batch.map((part) => part.id),
            )
          : []
      })
      start(batch, permits)
    } catch (error) {
      // Nothing was marked, so nothing of the batch was sent. Outcomes are kept and written with the next try.
      ctx.logger.error({ err: error }, 'the outbox was not written')
      for (const part of batch) inFlight.delete(part.id)
      waiting.unshift(...batch)
      outcomes = [...results, ...outcomes]
      await new Promise((resolve) => setTimeout(resolve, 500))
      return
    }
    await reportBroken()
    if (results.length > 0 && !isStopping) void claimNext()
  }

  function start(batch: OutgoingPart[], permits: SendPermit[]): void {
    const allowed = new Map(permits.map((permit) => [permit.id, permit]))
    for (const part of batch) {
      const permit = allowed.get(part.id)
      if (permit) void send(part, permit)
      else inFlight.delete(part.id)
    }
  }

  async function send(part: OutgoingPart, permit: SendPermit): Promise<void> {
    outcomes.push(await attempt(part, permit))
    inFlight.delete(part.id)
    if (part.hasNext) isClaimWanted = true
    flush()
  }

  async function attempt(part: OutgoingPart, permit: SendPermit): Promise<SendOutcome> {
    const { id } = part
    try {
      const credentials = credentialsOf(ctx.services.secrets, { ...permit, id: part.connectionId })
      const sent = await ctx.services.channels[permit.channel].send(credentials, part.chatId, part.text)
      ctx.connectionActivity.heartbeat(part.connectionId)
      return { id, status: 'sent', externalMessageId: sent.externalMessageId, error: null, delayMs: 0 }
    } catch (error) {
      const { isConnectionBroken, ...verdict } = judgeFailure(error, permit.attempt)
      ctx.logger.warn({ outboxId: id, ...verdict }, 'a part was not sent')
      if (isConnectionBroken) brokenConnections.push({ part, error: verdict.error })
      return { id, externalMessageId: null, ...verdict }
    }
  }

  async function reportBroken(): Promise<void> {
    const broken = brokenConnections
    brokenConnections = []
    for (const { part, error } of broken) {
      await ctx.organization(part.organizationId, (store) => setConnectionError(store, part.connectionId, error))
    }
  }

  /** After an outcome the next part of the same conversation may go. */
  async function claimNext(): Promise<void> {
    if (!isClaimWanted) return
    await claim()
  }

  async function claim(): Promise<void> {
    isClaimWanted = true
    if (isClaiming || isStopping) return
    isClaiming = true
    try {
      while (isClaimWanted && !isStopping) {
        isClaimWanted = false
        const room = SENDS_AT_ONCE * 2 - waiting.length
        if (room <= 0) return
        const claimed = await ctx.system('pipeline: claim parts', (store) => claimParts(store, ctx.owner(), room))
        waiting.push(...claimed)
        if (claimed.length > 0) flush()
      }
    } finally {
      isClaiming = false
    }
  }

  return {
    take(parts) {
      waiting.push(...parts)
      if (!isStopping) flush()
    },
    claim,
    held: () => [...waiting.map((part) => part.id), ...inFlight.keys()],
    isIdle: () => waiting.length === 0 && inFlight.size === 0 && outcomes.length === 0 && !flushing && !isClaiming,
    async stop(limitMs) {
      isStopping = true
      const until = Date.now() + limitMs
      while ((inFlight.size > 0 || outcomes.length > 0 || flushing) && Date.now() < until) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      await ctx.system('pipeline: give parts back', (store) => returnParts(store, ctx.owner()))
    },
  }
}
