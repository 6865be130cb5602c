// Asking the model, or the models, for one answer.
import type { Generation, ModelCall } from '#server/llm/llm.ts'
import { buildContext, type ReplyContext } from './context.ts'
import type { PipelineContext } from './pipeline-context.ts'
import { failureReason } from './reply.rules.ts'
import { streamAnswer } from './stream.ts'
import type { TraceRecorder } from './trace.ts'
import type { Turn } from './turn.store.ts'
import { showTyping } from './typing.ts'

/** An answer with what it was made from, or the failure with what it has cost. */
export type Attempt =
  | { answer: Generation; context: ReplyContext }
  | { answer: null; error: unknown; call: ModelCall | null }

/** Asks for an answer while the customer sees somebody typing. Never throws. */
export async function generate(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  signal: AbortSignal,
): Promise<Attempt> {
  const stream = turn.conversation.channel === 'test' ? streamAnswer(ctx, turn) : null
  const typing = showTyping(ctx, turn)
  const { model } = turn.agent.settings
  let call: ModelCall | null = null
  try {
    const context = await buildContext(ctx, turn, trace, new Date())
    const answer = await ctx.services.llm.generate({
      ...context.request,
      signal,
      onCall: (made) => {
        call = made
      },
      ...(stream ? { onText: (delta: string) => stream.onText(delta) } : {}),
    })
    trace.attempt(model, answer.call, null)
    return { answer, context }
  } catch (error) {
    trace.attempt(model, call, signal.aborted ? 'aborted' : failureReason(error))
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'a reply was not generated')
    return { answer: null, error, call }
  } finally {
    typing.stop()
    await stream?.close()
  }
}
