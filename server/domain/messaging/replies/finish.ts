// Finishes a turn: answered, refused, failed for now or for good.
import { recordUsage, type UsageEvent } from '#server/domain/billing/billing.store.ts'
import { lockConversation } from '#server/domain/messaging/conversations/lock-conversation.store.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { CommitUnknownError } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { excerptFor } from '#shared/messaging/answering-sentences.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { approvalStatements } from '../approvals/asking.ts'
import type { TurnApprovals } from '../approvals/settle.ts'
import { noteStoppedCall } from '../conversations/writes/answers.store.ts'
import { countForDay } from '../conversations/writes/progress.store.ts'
import { addSilence } from '../conversations/writes/team-lines.store.ts'
import { showTypingFor } from '../delivery/typing.ts'
import { handOffAfterAnswer } from '../handoff/handoff.ts'
import type { OutgoingPart } from '../outbox/deliver.store.ts'
import type { PacedPart } from '../outbox/split.ts'
import {
  addAttempt,
  endTurn,
  FencedError,
  type FinishedAnswer,
  type FinishResult,
  finishOrUndo,
  finishReplied,
  isStaleWrite,
  type StoredPart,
} from '../turns/finish.store.ts'
import type { AbortReason, TurnOutcome } from '../turns/outcome.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { returnTurns } from '../turns/runner.store.ts'
import { traceStatements, writeTrace } from '../turns/trace.store.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import { dayOf } from '../turns/turn.rules.ts'
import type { Claim, Turn } from '../turns/turn.ts'
import type { Answered, FailedCall } from './answer.ts'
import { sendFallbackResponse } from './fallback-response.ts'
import type { Failure } from './reply.rules.ts'
import { addSpoken, type Spoken } from './speak.store.ts'
import { dropSpoken } from './speak.ts'

const EXCERPT_LENGTH = 400

/** An answer as it goes out. */
type Composed = { choices: string[]; parts: PacedPart[]; spoken: Spoken | null; approvals: TurnApprovals | null }

/** Writes the answer, its parts and its cost in one transaction, or discards all of it when it is no longer wanted. */
export async function finishTurn(
  ctx: PipelineContext,
  turn: Turn,
  made: Answered & Composed & { trace: TraceRecorder },
): Promise<TurnOutcome> {
  const { answer, choices, context, failed, parts, spoken, approvals, trace } = made
  const finished: FinishedAnswer = {
    text: answer.text,
    parts,
    choices,
    sources: [...context.usedTables.values(), ...toSources(answer, context)],
    call: answer.call,
    unfounded: made.unfounded ?? [],
    answersThrough: context.answersThrough,
  }
  const outgoing = outgoingOf(turn, { parts, choices, isSpoken: spoken !== null })
  const isUsual = failed.length === 0 && spoken === null && !context.handoff.request
  if (isUsual && (await finishUsually(ctx, turn, { finished, outgoing, trace, approvals })))
    return { status: 'replied' }
  const result = await finishCarefully(ctx, turn, finished, made)
  if (result.status !== 'finished') {
    await dropSpoken(ctx, spoken)
    return { status: 'unwanted' }
  }
  if (outgoing) handOver(ctx, outgoing, result.parts)
  return { status: 'replied' }
}

type Usual = {
  finished: FinishedAnswer
  outgoing: Outgoing | null
  trace: TraceRecorder
  approvals: TurnApprovals | null
}

/**
 * The fast path for most answers: all statements in one round trip, rolled back together when the answer is not wanted or the turn is no
 * longer ours. Where there is room, the first part is inserted as being sent, and leaves right after the commit.
 * @returns false when it was rolled back
 */
async function finishUsually(
  ctx: PipelineContext,
  turn: Turn,
  { finished, outgoing, trace, approvals }: Usual,
): Promise<boolean> {
  const id = newId('outbox')
  const slot = outgoing && outgoing.delayMs === 0 ? ctx.reserveSend(outgoing.connectionId, id) : null
  const begins = slot && id
  const counted = async (store: OrgStoreContext) => {
    await recordUsage(store, usageOf(turn, finished.call, 1))
    failpoint('usage-counted')
  }
  let hasNext = true
  const answered = async (store: OrgStoreContext) => {
    const written = await finishOrUndo(store, turn, finished, { owner: ctx.owner(), begins })
    hasNext = written.hasNext
    failpoint('answer-writing')
    return written.parts
  }
  try {
    // The counters come last: their rows, locked until the commit, are shared with other answers.
    const others = [...traceStatements(turn, trace.finish('replied')), ...approvalStatements(turn, approvals), counted]
    const skipsDispatch = () => !hasNext && !outgoing?.delayMs
    const parts = await ctx.together(turn.organizationId, answered, others, { skipsDispatch })
    failpoint('answer-written')
    const permit = parts[0]?.permit
    if (slot && outgoing && permit) slot.begin({ ...outgoing, id }, permit)
    else slot?.release()
    if (outgoing && !permit) handOver(ctx, outgoing, parts)
    return true
  } catch (error) {
    if (error instanceof CommitUnknownError) slot?.giveBack()
    else slot?.release()
    if (isStaleWrite(error)) return false
    throw error
  }
}

/** Writes an answer with all that belongs to it, or the reason why it is not given. */
async function finishCarefully(
  ctx: PipelineContext,
  turn: Turn,
  finished: FinishedAnswer,
  { context, failed, spoken, approvals, trace }: Answered & Composed & { trace: TraceRecorder },
): Promise<FinishResult> {
  const writing = ctx.organization(turn.organizationId, async (store): Promise<FinishResult> => {
    const written = await finishReplied(store, turn, finished, ctx.owner())
    if (written.status === 'unwanted' || written.status === 'superseded') {
      // Fenced before it is counted: the turn's next owner counts it under the same key.
      if (!(await endTurn(store, turn, { status: 'done', outcome: written.status }))) throw new FencedError()
    }
    const isFinished = written.status === 'finished'
    const first = isFinished ? written.parts[0] : undefined
    if (spoken && first)
      await addSpoken(store, turn, { messageId: first.messageId, part: finished.parts.length, spoken })
    const { request } = context.handoff
    if (request && isFinished) await handOffAfterAnswer(store, turn, request)
    if (isFinished) for (const write of approvalStatements(turn, approvals)) await write(store)
    await writeTrace(store, turn, trace.finish(isFinished ? 'replied' : written.status))
    await countSpent(store, turn, failed)
    await recordUsage(store, usageOf(turn, finished.call, isFinished ? 1 : 0))
    return written
  })
  return writing.catch((error: unknown): FinishResult => {
    if (error instanceof FencedError) return { status: 'fenced' }
    throw error
  })
}

/** Ends a turn whose answer a guard withholds: the team gets a line, the call is billed, and the customer receives nothing. */
export async function finishKeptBack(
  ctx: PipelineContext,
  turn: Turn,
  { answer, failed }: Answered,
  trace: TraceRecorder,
): Promise<TurnOutcome> {
  await ctx.organization(turn.organizationId, async (store) => {
    await lockConversation(store, turn.conversationId)
    if (!(await endTurn(store, turn, { status: 'done', outcome: 'guarded_answer' }))) return
    await addSilence(store, turn, 'guarded_answer')
    await writeTrace(store, turn, trace.finish('guarded_answer'))
    await recordUsage(store, usageOf(turn, answer.call, 0))
    await countSpent(store, turn, failed)
  })
  return { status: 'refused', reason: 'guarded_answer' }
}

/** Schedules a retry, or applies the fallback. The cost is counted either way. */
export async function finishFailed(
  ctx: PipelineContext,
  turn: Turn,
  { reason, retryAfterMs }: Failure,
  { failed, trace }: { failed: FailedCall[]; trace: TraceRecorder },
): Promise<TurnOutcome> {
  const models = failed.map((each) => ({ model: each.model, reason: each.reason }))
  await ctx.organization(turn.organizationId, async (store) => {
    await lockConversation(store, turn.conversationId)
    await addAttempt(store, turn, { reason, startedAt: trace.startedAt, at: Date.now(), models })
    if (retryAfterMs === null) {
      const isOurs = await sendFallbackResponse(ctx, store, turn, { reason, trace })
      // A charged call counts towards the customer's daily limit like an answer, or unanswerable questions would cost without limit.
      if (isOurs && failed.some(({ call }) => (call?.inputTokens ?? 0) > 0))
        await countForDay(store, turn.conversationId, dayOf(turn, Date.now()))
    } else await returnTurns(store, { claim: turn, delayMs: retryAfterMs })
    failpoint('try-failed')
    await countSpent(store, turn, failed)
  })
  return retryAfterMs === null ? { status: 'failed', reason } : { status: 'retry', reason, delayMs: retryAfterMs }
}

/** Ends a turn whose generation was aborted: returned to the queue when this server stops, else its answer is no longer wanted. */
export async function finishAborted(
  ctx: PipelineContext,
  turn: Turn,
  failed: FailedCall[],
  { reason, trace }: { reason: AbortReason; trace: TraceRecorder },
): Promise<TurnOutcome> {
  await ctx.organization(turn.organizationId, async (store) => {
    await lockConversation(store, turn.conversationId)
    if (reason === 'stopping') await returnTurns(store, { claim: turn, delayMs: 0 })
    else if (await endTurn(store, turn, { status: 'done', outcome: reason })) {
      await writeTrace(store, turn, trace.finish(reason))
    }
    const call = failed.at(-1)?.call
    if (call) await noteStoppedCall(store, turn, call)
    await countSpent(store, turn, failed)
  })
  return { status: reason === 'stopping' ? 'given_back' : 'unwanted' }
}

/** Returns a turn to the queue after an unexpected error, if the claim still holds. */
export async function finishInterrupted(
  ctx: PipelineContext,
  claim: Omit<Claim, 'conversationId'>,
  delayMs: number | null,
): Promise<void> {
  await ctx.organization(claim.organizationId, (store) => returnTurns(store, { claim, delayMs }))
}

/** Counts the cost of calls that led to no message. Late in a transaction, as for all counters: their rows are contended. */
async function countSpent(store: OrgStoreContext, turn: Turn, failed: FailedCall[]): Promise<void> {
  for (const [index, { call }] of failed.entries()) {
    if (call) await recordUsage(store, { ...usageOf(turn, call, 0), sourceId: `${turn.turnId}/${turn.epoch}/${index}` })
  }
}

function usageOf(turn: Turn, call: ModelCall | null, messages: number): UsageEvent {
  const { channel } = turn.conversation
  const category = turn.kind === 'follow_up' ? 'follow_up' : 'agent_response'
  return {
    sourceId: turn.turnId,
    agentId: turn.agent.id,
    category: channel === 'test' ? 'test_message' : category,
    channel,
    messages,
    spent: { conversationId: turn.conversationId, purpose: 'reply' },
    call,
    occurredAt: new Date(),
  }
}

/** The first part of an answer, without its id; `delayMs`: milliseconds until it is due. */
type Outgoing = Omit<OutgoingPart, 'id'> & { delayMs: number }

/** Null when nothing is sent to a channel. */
function outgoingOf(
  turn: Turn,
  { parts, choices, isSpoken }: { parts: PacedPart[]; choices: string[]; isSpoken: boolean },
): Outgoing | null {
  const { connection, conversation, organizationId, conversationId } = turn
  const { chatId } = conversation
  const [first, second] = parts
  if (!connection || chatId === null || !first) return null
  return {
    organizationId,
    connectionId: connection.id,
    conversationId,
    chatId,
    text: first.text,
    file: null,
    choices: second ? [] : choices,
    hasNext: parts.length > 1 || isSpoken,
    nextDelayMs: second?.delayMs ?? 0,
    delayMs: first.delayMs,
  }
}

/** A first part that is due at once was claimed by the transaction that wrote it: it is sent without polling the outbox. */
function handOver(ctx: PipelineContext, outgoing: Outgoing, stored: StoredPart[]): void {
  const claimed = stored.find((part) => part.isClaimed)
  if (claimed) ctx.wake.parts([{ ...outgoing, id: claimed.id }])
  else if (outgoing.delayMs > 0) showTypingFor(ctx, outgoing, outgoing.delayMs)
  else ctx.wake.outbox()
}

/** The sources of an answer, as shown to users. */
export function toSources(
  { usedPassageIds, text }: Pick<Answered['answer'], 'usedPassageIds' | 'text'>,
  { found, foundPages }: Pick<Answered['context'], 'found' | 'foundPages'>,
): MessageSource[] {
  return usedPassageIds.flatMap((id): MessageSource[] => {
    const webPage = foundPages.get(id)
    if (webPage) return [webPage]
    const result = found.get(id)
    if (!result) return []
    const { source, page, lastPage, sheet, firstRow, lastRow } = result.metadata
    const place = { page, lastPage, sheet, firstRow, lastRow }
    const excerpt = excerptFor(result.content, text, EXCERPT_LENGTH)
    return [{ chunkId: result.id, documentId: result.documentId, source, ...place, score: result.score, excerpt }]
  })
}
