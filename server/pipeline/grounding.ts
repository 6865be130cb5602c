// What the model was given for one answer, kept so that the answer can be compared with it.
import type { GenerateRequest, Tool } from '#server/llm/llm.ts'
import { passagesIn } from '#server/llm/used-passages.ts'
import type { TraceSentence } from '#shared/trace.ts'
import type { Answered } from './generate.ts'
import { type Evidence, groundSentences } from './grounding.rules.ts'
import type { Turn } from './turn.store.ts'

/** Where each sentence of an answer comes from. Null for agents without knowledge: they speak from their instructions alone. */
export function groundAnswer(turn: Turn, { answer, context }: Answered): TraceSentence[] | null {
  if (turn.agent.spaceIds.length === 0) return null
  const found = [...context.found.values()].map(({ id, content, metadata: { source, headingPath } }): Evidence => {
    return { origin: 'knowledge', id, title: [source, ...headingPath].join(' '), text: content }
  })
  return groundSentences(answer.text, [...found, ...context.evidence])
}

/** What the model knows before it asks for anything. */
export function givenEvidence(
  { agent }: Pick<Turn, 'agent'>,
  { system, moment = '', messages, data = [] }: Pick<GenerateRequest, 'system' | 'moment' | 'messages' | 'data'>,
): Evidence[] {
  const said = messages.flatMap((message) => [message.text, ...(message.data ?? []).map(({ text }) => text)])
  return [
    ...[agent.name, system, moment].map((text): Evidence => ({ origin: 'instructions', text })),
    ...[...data.map(({ text }) => text), ...said].map((text): Evidence => ({ origin: 'conversation', text })),
  ]
}

/** The same tool; what it gives the model is added to the evidence. */
export function noting(tool: Tool, evidence: Evidence[]): Tool {
  return {
    ...tool,
    async run(given, signal) {
      const result = await tool.run(given, signal)
      evidence.push(...readResult(given, result))
      return result
    },
  }
}

/** A result that is a text says what went wrong. */
function readResult(given: unknown, result: unknown): Evidence[] {
  if (typeof result === 'string') return []
  const passages = passagesIn(result)
  if (passages.length > 0) return passages.map(({ id, text }) => ({ origin: 'knowledge', id, text }))
  const table = isRecord(given) && typeof given.table === 'string' ? { id: given.table } : {}
  return [{ origin: 'knowledge', text: linesOf(result).join('\n'), ...table }]
}

/** One line for each row or value. */
function linesOf(value: unknown): string[] {
  if (!isRecord(value)) return [textOf(value)]
  return Object.entries(value).flatMap(([name, inner]) =>
    Array.isArray(inner) ? inner.map(textOf) : [`${name}: ${textOf(inner)}`],
  )
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(' | ')
  if (isRecord(value))
    return Object.entries(value)
      .map(([name, inner]) => `${name}: ${textOf(inner)}`)
      .join(' | ')
  return String(value ?? '')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
