// Generates one answer: calls the agent's model, and its fallback models when that fails.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import type { Generation, ModelCall } from '#server/integrations/llm/llm.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { settleApprovals } from '../approvals/settle.ts'
import { showTyping } from '../delivery/typing.ts'
import { answerOfHandoff } from '../handoff/handoff.rules.ts'
import { withStretchSummary } from '../handoff/handoff.summary.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import type { Turn } from '../turns/turn.ts'
import type { Answered, FailedCall, ReplyContext } from './answer.ts'
import { buildContext } from './context/context.ts'
import { failureReason, shareOfTime, timeForTry } from './reply.rules.ts'
import { type AnswerStream, streamAnswer } from './stream.ts'

/** An answer, or none. */
export type Attempt = Answered | { answer: null; failed: FailedCall[] }

/** Signals from the runner while an answer is generated. */
export type Watch = {
  /** Aborted when the answer is no longer wanted. */
  signal: AbortSignal
  /** Whether a member of the team has the conversation open, as far as is known. */
  isLookedAt(): boolean
}

/** One attempt at a turn. */
type Try = {
  ctx: PipelineContext
  turn: Turn
  trace: TraceRecorder
  signal: AbortSignal
  /** Where the answer is shown while it is generated. */
  stream: AnswerStream
}

/** Generates an answer while the customer sees a typing indicator. Never throws. */
export async function generate(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  { signal, isLookedAt }: Watch,
): Promise<Attempt> {
  const stream = streamAnswer(ctx, turn, isLookedAt)
  const typing = showTyping(ctx, turn)
  try {
    return await askModels({ ctx, turn, trace, signal, stream })
  } finally {
    typing.stop()
    await stream.close()
  }
}

/** The first answer of the agent's model and its fallback models, within the time for all of them. */
async function askModels(work: Try): Promise<Attempt> {
  const { ctx, turn, trace, signal } = work
  const { model, fallback } = turn.agent.settings
  const triedAt = turn.firstTriedAt ?? trace.startedAt
  const summarised = await withStretchSummary(ctx, turn, signal)
  const preparing = settleApprovals(ctx, summarised, trace).then((approvals) => {
    return buildContext(ctx, summarised, { trace, now: new Date(), approvals })
  })
  const context = await preparing.catch((error: unknown) => ({ error }))
  if ('error' in context) return { answer: null, failed: [fail(work, model, context.error, null)] }

  const askedAt = Date.now()
  const endsAt = askedAt + timeForTry(ctx.services.llm.answerMs, askedAt - triedAt)
  const keyOf = keyOpener(ctx.services.secrets, turn.agent.id, turn.agent.keys)
  const models = [...new Set([model, ...fallback.models])].filter(
    (name) => turn.kind === 'reply' || name !== EXTRACTIVE_MODEL, // it only knows how to answer
  )
  const failed: FailedCall[] = []
  for (const [index, name] of models.entries()) {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0 || signal.aborted) break
    if (index > 0) work.stream.restart()
    const limits = shareOfTime(leftMs, models.length - index)
    const result = await askModel(work, { ...context.request, model: name, limits, keyOf })
    if ('text' in result) return { answer: result, context, failed }
    const farewell = signal.aborted ? null : answerOfHandoff(turn, context.handoff, result.call)
    if (farewell) return { answer: farewell, context, failed }
    failed.push(result)
  }
  return { answer: null, failed }
}

type Asked = ReplyContext['request']

/** One model's answer, or how it failed. Recorded either way. */
async function askModel(work: Try, request: Asked): Promise<Generation | FailedCall> {
  const { ctx, trace, signal, stream } = work
  let call: ModelCall | null = null
  failpoint('model-asking')
  try {
    const answer = await ctx.services.llm.generate({
      ...request,
      signal,
      onCall: (made) => {
        call = made
      },
      onText: (delta) => stream.onText(delta),
      onTakeBack: () => stream.restart(),
    })
    failpoint('model-answered')
    trace.attempt(request.model, answer.call, null)
    return answer
  } catch (error) {
    return fail(work, request.model, error, call)
  }
}

function fail({ ctx, turn, trace, signal }: Try, model: string, error: unknown, call: ModelCall | null): FailedCall {
  const reason = signal.aborted ? 'aborted' : failureReason(error)
  trace.attempt(model, call, reason)
  ctx.logger.warn({ err: error, turnId: turn.turnId, model, reason }, 'a model gave no answer')
  return { model, reason, error, call }
}
