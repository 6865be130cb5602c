// Summarises a long human stretch: made once by the agent's own model, before the agent's first answer after the stretch.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { saveStretchSummary } from '../conversations/writes/summaries.store.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import type { Turn } from '../turns/turn.ts'
import { findUnsummarised, type Stretch } from './handoff.stretch.ts'

/** The customer waits meanwhile. Without a summary the model receives the end of the stretch verbatim. */
const LIMIT_MS = 20_000
const SUMMARY_CHARACTERS = 2000
const TASK = [
  'You keep the memory of a chat agent. While it was silent, its colleagues wrote with the customer. Write in at most 150 words what',
  'the agent must know to go on: what was asked, answered, agreed or promised, by whom, and what is still open.',
  'Use the language of the conversation, the third person and plain text. Write nothing that was not said.',
].join(' ')

/** The turn with a summary of the last human stretch where it needs one. Never throws: on failure the turn is returned unchanged. */
export async function withStretchSummary(ctx: PipelineContext, turn: Turn, signal: AbortSignal): Promise<Turn> {
  const stretch = findUnsummarised(turn.history, turn.conversation)
  if (!stretch || turn.agent.settings.model === EXTRACTIVE_MODEL) return turn
  try {
    const { text, call } = await summarise(ctx, turn, stretch, signal)
    const { through } = stretch
    await ctx.organization(turn.organizationId, async (store) => {
      if (text) await saveStretchSummary(store, turn.conversationId, { summary: text, through })
      if (call) await recordUsage(store, usageOf(turn, stretch, call))
    })
    if (!text) return turn
    return { ...turn, conversation: { ...turn.conversation, stretchSummary: text, stretchThrough: through } }
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'the summary of an operator session was not stored')
    return turn
  }
}

/** `text` is null when the model failed. The stretch is passed as data, so that no message in it can instruct the agent. */
async function summarise(
  ctx: PipelineContext,
  turn: Turn,
  { text }: Stretch,
  signal: AbortSignal,
): Promise<{ text: string | null; call: ModelCall | null }> {
  const { id, keys, settings } = turn.agent
  let call: ModelCall | null = null
  try {
    const made = await ctx.services.llm.generate({
      model: settings.model,
      purpose: 'task',
      temperature: 0.2,
      system: TASK,
      messages: [{ role: 'user', text: 'Write what the agent must know.' }],
      data: [{ title: 'What was said while the agent was silent', text }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: keyOpener(ctx.services.secrets, id, keys),
      signal: AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS)]),
      onCall: (asked) => {
        call = asked
      },
    })
    return { text: String(sanitizePayload(made.text)).slice(0, SUMMARY_CHARACTERS), call }
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId }, 'an operator session was not summarised')
    return { text: null, call }
  }
}

/** A cost without a message. Counted once per attempt at the turn. */
function usageOf(turn: Turn, { through }: Stretch, call: ModelCall) {
  return {
    sourceId: `${turn.turnId}/${turn.epoch}/stretch/${through}`,
    agentId: turn.agent.id,
    category: 'helper_generation' as const,
    channel: turn.conversation.channel,
    messages: 0,
    spent: { conversationId: turn.conversationId, purpose: 'reply' as const },
    call,
    occurredAt: new Date(),
  }
}
