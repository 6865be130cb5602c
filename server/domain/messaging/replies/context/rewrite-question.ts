// Rewrites a customer's question for the search, by the agent's own model: with the context filled in, paraphrased, and in the words of a
// document that would answer it.
import { keyOpener } from '#server/domain/agents/keys.access.ts'
import type { Services } from '#server/functions/services.ts'
import type { ChatMessage, ModelCall } from '#server/integrations/llm/llm.ts'
import { spokenPart } from '#server/integrations/llm/reading/answer-reader.ts'
import { listedLines } from '#server/platform/lib/text/listed-lines.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Turn } from '../../turns/turn.ts'

/** Longest time that a customer waits for a better search, milliseconds. */
const REWRITE_MS = 4_000
/** Last messages of the conversation that the model receives. */
const MESSAGES = 6
const WORDINGS_MAX = 4
const TASK = [
  'You prepare the search of a knowledge base. From the last question of the customer write four lines and nothing else:',
  '1. the question as it stands by itself, with what was said before filled in;',
  '2. and 3. the same question in other words, as a document that answers it would put it;',
  '4. the key terms that such a document holds, first in Russian, then in English: documents may be in either.',
  'Otherwise use the language of the question. Do not answer it, and add no facts, numbers or explanations.',
].join('\n')

/** The agent whose model is called, at its own cost. */
type Author = Pick<Turn['agent'], 'id' | 'settings' | 'keys'>

/** Whether the agent has rewriting on, and a model that can generate text. */
export function rewritesQuestions({ evidence, model }: Author['settings']): boolean {
  return evidence.rewritesQuestions && model !== EXTRACTIVE_MODEL
}

/** @throws AppError model_failed, also on timeout. `count` receives the call with its cost, either way. */
export async function rewriteQuestion(
  { llm, secrets }: Pick<Services, 'llm' | 'secrets'>,
  { id, settings: { model }, keys }: Author,
  conversation: ChatMessage[],
  count: (call: ModelCall) => Promise<void>,
  signal?: AbortSignal,
): Promise<string[]> {
  const deadline = AbortSignal.timeout(REWRITE_MS)
  let spent: ModelCall | null = null
  try {
    const { text } = await llm.generate({
      model,
      purpose: 'task',
      temperature: 0.2,
      system: TASK,
      messages: [{ role: 'user', text: 'Write the four lines.' }],
      data: [{ title: 'The conversation; the customer has the last word', text: linesOf(conversation) }],
      passages: [],
      isWeakEvidence: false,
      tools: [],
      keyOf: keyOpener(secrets, id, keys),
      limits: { firstTokenMs: REWRITE_MS, totalMs: REWRITE_MS },
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      onCall: (call) => {
        spent = call
      },
    })
    return listedLines(text, WORDINGS_MAX)
  } finally {
    if (spent) await count(spent)
  }
}

function linesOf(conversation: ChatMessage[]): string {
  const lines = conversation
    .slice(-MESSAGES)
    .map(({ role, text }) => (role === 'user' ? `Customer: ${text}` : `Agent: ${spokenPart(text)}`))
  return lines.join('\n')
}
