// Collects the model's context of one answer as evidence, to compare the answer with it.
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { passagesIn } from '#server/integrations/llm/used-passages.ts'
import type { TraceSentence } from '#shared/messaging/trace.ts'
import type { Turn } from '../../turns/turn.ts'
import type { Answered } from '../answer.ts'
import { type Evidence, groundSentences } from './grounding.rules.ts'
import type { TableEvidence } from './grounding.tables.ts'

/** The origin of each sentence of an answer. Null for agents without knowledge: they answer from their instructions alone. */
export function groundAnswer(turn: Turn, { answer, context }: Answered): TraceSentence[] | null {
  if (turn.agent.spaceIds.length === 0) return null
  const found = [...context.found.values()].map(({ id, content, metadata }): Evidence => {
    const { source, sourceKind, headingPath } = metadata
    const row = sourceKind === 'table' && 'row' in metadata ? { table: rowOf(content) } : {}
    return { origin: 'knowledge', id, title: [source, ...headingPath].join(' '), text: content, ...row }
  })
  return groundSentences(answer.text, [...found, ...context.evidence])
}

/** A row of a table as search finds it: `Name: cell; Name: cell`, and the imported cell in a line of its own. */
function rowOf(content: string): TableEvidence {
  const parts = content.split(/;\s|\n/).map((part) => /^([^:]{1,100}):\s(.*)$/su.exec(part))
  const named = parts.flatMap((part) => (part ? [{ name: part[1] ?? '', cell: part[2] ?? '' }] : []))
  return { columns: named.map(({ name }) => name), rows: [named.map(({ cell }) => cell)], computed: [] }
}

/** Evidence for tables that the model may query and has not queried yet. */
const NO_ROWS: TableEvidence = { columns: [], rows: [], computed: [] }

/** Evidence that the model has before its first tool call. */
export function givenEvidence(
  { agent }: Pick<Turn, 'agent'>,
  {
    system,
    moment = '',
    messages,
    data = [],
    tables,
  }: Pick<GenerateRequest, 'system' | 'moment' | 'messages' | 'data' | 'tables'>,
): Evidence[] {
  const hasTables: Evidence[] = tables ? [{ origin: 'conversation', text: '', table: NO_ROWS }] : []
  const chatTexts = messages.flatMap((message) => [message.text, ...(message.data ?? []).map(({ text }) => text)])
  return [
    ...hasTables,
    ...[agent.name, system, moment].map((text): Evidence => ({ origin: 'instructions', text })),
    ...[...data.map(({ text }) => text), ...chatTexts].map((text): Evidence => ({ origin: 'conversation', text })),
  ]
}

/** The same tool, whose results are added to the evidence. */
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

/** A result that is a text is an error message. */
function readResult(given: unknown, result: unknown): Evidence[] {
  if (typeof result === 'string') return []
  const passages = passagesIn(result)
  if (passages.length > 0) return passages.map(({ id, text }) => ({ origin: 'knowledge', id, text }))
  const text = linesOf(result).join('\n')
  if (!isRecord(given) || typeof given.table !== 'string') return [{ origin: 'knowledge', text }]
  const groups = groupsOf(result)
  return [
    { origin: 'knowledge', id: given.table, text, table: tableOf(result) },
    ...(groups.rows.length > 0 ? [{ origin: 'knowledge' as const, id: given.table, text: '', table: groups }] : []),
  ]
}

/** What was computed of each group, as a row with its name: a total of another group is as wrong as a price of another row. */
function groupsOf(result: unknown): TableEvidence {
  const computed = isRecord(result) && Array.isArray(result.computed) ? result.computed.filter(isRecord) : []
  const groups = computed.filter((each) => 'group' in each)
  return {
    columns: Object.keys(groups[0] ?? {}),
    rows: groups.map((group) => Object.values(group).map(textOf)),
    computed: [],
  }
}

/** The rows of a table result, and every number in it that belongs to no row or group. */
function tableOf(result: unknown): TableEvidence {
  const { rows, columns, computed, leftOut: _, ...rest } = isRecord(result) ? result : {}
  const ofAll = Array.isArray(computed) ? computed.filter((each) => !isRecord(each) || !('group' in each)) : computed
  const others = { ...rest, computed: ofAll }
  const cellsOf = (row: unknown) => (isRecord(row) && Array.isArray(row.cells) ? [row.cells.map(String)] : [])
  return {
    columns: Array.isArray(columns) ? columns.map(String) : [],
    rows: Array.isArray(rows) ? rows.flatMap(cellsOf) : [],
    computed: linesOf(others),
  }
}

/** One line per row or value. */
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
