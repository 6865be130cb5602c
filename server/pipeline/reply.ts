// One reply from beginning to end. Each step is a file of its own; who calls it, and when, is in runner.ts.
import { finishAborted, finishFailed, finishTurn, type TurnOutcome } from './finish.ts'
import { checkGates } from './gates.ts'
import { generate } from './generate.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { finishRefused } from './refuse.ts'
import { planAfterFailure } from './reply.rules.ts'
import type { Claim } from './runner.store.ts'
import { splitReply } from './split.ts'
import { startTrace } from './trace.ts'
import { findTurn, type Turn } from './turn.store.ts'

/** A reply under way: the runner watches it, and aborts it when nobody wants it any more. */
export type Work = { claim: Claim; signal: AbortSignal; onRead(turn: Turn): void }

/** Answers everything a customer has said since our last reply. Safe to run twice: a stale owner's result is thrown away. */
export async function reply(ctx: PipelineContext, work: Work): Promise<TurnOutcome> {
  const turn = await ctx.read(work.claim.organizationId, (store) => findTurn(store, work.claim))
  if (!turn) return { status: 'unwanted' }
  work.onRead(turn)
  const trace = startTrace(turn)

  const refusal = checkGates(turn, trace)
  if (refusal) return finishRefused(ctx, turn, refusal, trace)

  const attempt = await generate(ctx, turn, trace, work.signal) // knowledge is a search before and a tool during the call
  if (!attempt.answer) {
    if (work.signal.aborted) return finishAborted(ctx, turn, attempt.call, work.signal.reason === 'stopping')
    const failure = planAfterFailure(attempt.error, turn.failedAttempts, Math.random())
    return finishFailed(ctx, turn, failure, { call: attempt.call, trace })
  }
  const parts = splitReply(attempt.answer.text, maxTextLength(ctx, turn))
  const { answer, context } = attempt
  return finishTurn(ctx, turn, { answer, context, parts, trace }) // message, parts, usage and trace in one transaction
}

function maxTextLength(ctx: PipelineContext, turn: Turn): number | null {
  const { channel } = turn.conversation
  return channel === 'test' ? null : ctx.services.channels[channel].maxTextLength
}
