// One reply from beginning to end. Each step is a file of its own; who calls it, and when, is in runner.ts.
import type { Generation, ModelCall } from '#server/llm/llm.ts'
import { buildContext, type ReplyContext } from './context.ts'
import { finishAborted, finishFailed, finishRefused, finishTurn, type TurnOutcome } from './finish.ts'
import { checkGates } from './gates.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { planAfterFailure } from './reply.rules.ts'
import type { Claim } from './runner.store.ts'
import { splitReply } from './split.ts'
import { streamAnswer } from './stream.ts'
import { findTurn, type Turn } from './turn.store.ts'
import { showTyping } from './typing.ts'

/** A reply under way: the runner watches it, and aborts it when nobody wants it any more. */
export type Work = { claim: Claim; signal: AbortSignal; onRead(turn: Turn): void }

/** Answers everything a customer has said since our last reply. Safe to run twice: a stale owner's result is thrown away. */
export async function reply(ctx: PipelineContext, work: Work): Promise<TurnOutcome> {
  const turn = await ctx.read(work.claim.organizationId, (store) => findTurn(store, work.claim))
  if (!turn) return { status: 'unwanted' }
  work.onRead(turn)

  const refusal = checkGates(turn) // paused, ended, agent deleted, connection off
  if (refusal) return finishRefused(ctx, turn, refusal)

  const attempt = await generate(ctx, turn, work.signal) // the model; knowledge is a search before and a tool during the call
  if (!attempt.answer) {
    if (work.signal.aborted) return finishAborted(ctx, turn, attempt.call, work.signal.reason === 'stopping')
    return finishFailed(ctx, turn, planAfterFailure(attempt.error, turn.failedAttempts, Math.random()), attempt.call)
  }
  const parts = splitReply(attempt.answer.text, maxTextLength(ctx, turn))
  return finishTurn(ctx, turn, attempt.context, attempt.answer, parts) // message, parts and usage in one transaction
}

type Attempt = { answer: Generation; context: ReplyContext } | { answer: null; error: unknown; call: ModelCall | null }

async function generate(ctx: PipelineContext, turn: Turn, signal: AbortSignal): Promise<Attempt> {
  const stream = turn.conversation.channel === 'test' ? streamAnswer(ctx, turn) : null
  const typing = showTyping(ctx, turn)
  let call: ModelCall | null = null
  try {
    const context = await buildContext(ctx, turn, new Date())
    const answer = await ctx.services.llm.generate({
      ...context.request,
      signal,
      onCall: (made) => {
        call = made
      },
      ...(stream ? { onText: (delta: string) => stream.onText(delta) } : {}),
    })
    return { answer, context }
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'a reply was not generated')
    return { answer: null, error, call }
  } finally {
    typing.stop()
    await stream?.close()
  }
}

function maxTextLength(ctx: PipelineContext, turn: Turn): number | null {
  const { channel } = turn.conversation
  return channel === 'test' ? null : ctx.services.channels[channel].maxTextLength
}
