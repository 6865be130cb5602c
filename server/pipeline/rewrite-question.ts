// A customer's question in other words, written by the agent's own model for the search: what was said before filled in, paraphrases, and
// the words of a document that would answer it.
import { keyOpener } from '#server/features/agents/keys.access.ts'
import { listedLines } from '#server/lib/listed-lines.ts'
import type { ChatMessage, ModelCall } from '#server/llm/llm.ts'
import { EXTRACTIVE_MODEL } from '#shared/models.ts'
import type { PipelineContext } from './pipeline-context.ts'
import type { Turn } from './turn.store.ts'

/** A customer does not wait longer for a better search, milliseconds. */
const REWRITE_MS = 4_000
/** Messages that are told to the model. */
const MESSAGES = 6
const WORDINGS_MAX = 4
const TASK = [
  'You prepare the search of a knowledge base. From the last question of the customer write four lines and nothing else:',
  '1. the question as it stands by itself, with what was said before filled in;',
  '2. and 3. the same question in other words, as a document that answers it would put it;',
  '4. the key terms that such a document holds.',
  'Use the language of the question. Do not answer it, and add no facts, numbers or explanations.',
].join('\n')

/** Empty when the agent does not want it, has the built-in model, or its model fails or takes too long. Never fails. */
export async function rewriteQuestion(
  ctx: PipelineContext,
  turn: Turn,
  told: ChatMessage[],
  onCall: (call: ModelCall) => Promise<void>,
): Promise<string[]> {
  const { model, evidence } = turn.agent.settings
  if (!evidence.rewritesQuestions || model === EXTRACTIVE_MODEL) return []
  const { llm, secrets } = ctx.services
  let spent: ModelCall | null = null
  try {
    const { text } = await llm.generate({
      model,
      purpose: 'task',
      temperature: 0.2,
      system: TASK,
      messages: [{ role: 'user', text: 'Write the four lines.' }],
      data: [{ title: 'The conversation; the customer has the last word', text: toldInLines(told) }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: keyOpener(secrets, turn.agent.id, turn.agent.keys),
      limits: { firstTokenMs: REWRITE_MS, totalMs: REWRITE_MS },
      signal: AbortSignal.timeout(REWRITE_MS),
      onCall: (call) => {
        spent = call
      },
    })
    return listedLines(text, WORDINGS_MAX)
  } catch (error) {
    ctx.logger.warn({ err: error, turnId: turn.turnId, model }, 'a question was not worded anew')
    return []
  } finally {
    if (spent) await onCall(spent)
  }
}

function toldInLines(told: ChatMessage[]): string {
  const lines = told.slice(-MESSAGES).map(({ role, text }) => `${role === 'user' ? 'Customer' : 'Agent'}: ${text}`)
  return lines.join('\n')
}
