// Synthesizes an answer for customers who prefer to listen. The text is sent in any case: a failure here never costs the answer.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { MediaFailure } from '#server/integrations/media/failures.ts'
import type { MediaCall } from '#server/integrations/media/media.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import { ATTACHMENT_MAX_BYTES } from '#shared/limits.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { TraceRecorder } from '../turns/trace.ts'
import { unanswered } from '../turns/turn.rules.ts'
import type { Turn } from '../turns/turn.ts'
import { isSpokenTo, lastWish } from './speak.rules.ts'
import { rememberWish, type Spoken } from './speak.store.ts'

/** Longest time that the text waits for its recording. */
const SPEAKING_MS = 15_000

/** The recording of an answer, or null when the answer is text only. Never throws. */
export async function speakAnswer(
  ctx: PipelineContext,
  turn: Turn,
  text: string,
  { trace, signal }: { trace: TraceRecorder; signal: AbortSignal },
): Promise<Spoken | null> {
  const { speech } = turn.agent.settings.multimodal
  const { channel } = turn.conversation
  if (!speech.isOn || turn.kind !== 'reply' || channel === 'test' || !ctx.services.channels[channel].media?.sendVoice)
    return null
  const startedAt = Date.now()
  const done = (failure: MediaFailure['reason'] | null, call: MediaCall | null) =>
    trace.media({ kind: 'speech', failure, call, durationMs: Date.now() - startedAt })
  try {
    if (!(await isWanted(ctx, turn))) return null
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(SPEAKING_MS)])
    const keyOf = keyOpener(ctx.services.secrets, turn.agent.id, turn.agent.keys)
    const { audio, call } = await ctx.services.media.speak(sentText(text, 'plain'), speech, { signal: deadline, keyOf })
    const spoken = await keep(ctx, turn, audio, call)
    done(null, call)
    return spoken
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'an answer was not spoken')
    done(error instanceof MediaFailure ? error.reason : signal.aborted ? 'internal' : 'timeout', null)
    return null
  }
}

/** Deletes a recording that will not be sent. */
export async function dropSpoken(ctx: PipelineContext, spoken: Spoken | null): Promise<void> {
  if (!spoken) return
  await ctx.services.files
    .remove(spoken.fileKey)
    .catch((error: unknown) => ctx.logger.warn({ err: error }, 'an unused recording was not deleted'))
}

async function isWanted(ctx: PipelineContext, turn: Turn): Promise<boolean> {
  const questions = unanswered(turn)
  const stored = await ctx.organization(turn.organizationId, (store) =>
    rememberWish(store, turn.conversationId, lastWish(questions)),
  )
  return isSpokenTo(questions, stored)
}

async function keep(ctx: PipelineContext, turn: Turn, audio: Uint8Array, call: MediaCall): Promise<Spoken> {
  const fileKey = `voice-${newId()}`
  await ctx.organization(turn.organizationId, (store) =>
    recordUsage(store, {
      sourceId: fileKey,
      agentId: turn.agent.id,
      category: 'helper_generation',
      channel: turn.conversation.channel,
      messages: 0,
      spent: { conversationId: turn.conversationId, purpose: 'media' },
      call,
      occurredAt: new Date(),
    }),
  )
  const { sizeBytes } = await ctx.services.files.put(
    fileKey,
    new Blob([new Uint8Array(audio)]).stream(),
    ATTACHMENT_MAX_BYTES,
  )
  return { fileKey, sizeBytes }
}
