// The prompt for a model that writes the instructions of an agent.
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import type { PromptLanguage } from '#shared/agents/agents.ts'

const LANGUAGE_NAMES: Record<PromptLanguage, string> = { ru: 'Russian', en: 'English' }

/** The parts that good instructions have, in this order. */
const OUTLINE = [
  'role: who the agent is, for which business, to whom it speaks',
  'goals: what a conversation should lead to',
  'tone and form: how it speaks, how long answers are, which language it answers in',
  'how it works: steps for the typical requests, what it asks before it answers',
  'knowledge: it answers from the passages it is given, and says so when they do not hold the answer',
  'limits: what it never promises, never does, never discusses',
  'handing over: when it calls a person',
]

/** The request for instructions. What the person has written, and what was there before, is material and not part of the task. */
export function promptRequest(
  model: string,
  given: { description: string; language: PromptLanguage; current: string },
): Pick<GenerateRequest, 'model' | 'temperature' | 'system' | 'messages' | 'passages' | 'isWeakEvidence' | 'tools'> {
  const system = [
    'You write the instructions (the system prompt) of a customer-service chat agent.',
    `Write in ${LANGUAGE_NAMES[given.language]}. Answer with the instructions alone: no preface, no comments, no code fence.`,
    `Use short Markdown sections with headings and lists, in this order: ${OUTLINE.join('; ')}.`,
    'Use only facts that the description gives: no invented prices, names, hours or policies. Leave a section out rather than guess.',
    'When current instructions are given, keep what the description does not contradict.',
  ].join('\n')
  const current = given.current.trim()
  const text = [`Description:\n${given.description}`, ...(current ? [`Current instructions:\n${current}`] : [])].join(
    '\n\n',
  )
  return {
    model,
    temperature: 1,
    system,
    messages: [{ role: 'user', text }],
    passages: [],
    isWeakEvidence: false,
    tools: [],
  }
}
