// How the fake model of the demonstration asks a table: it knows a few turns of speech about one figure, fills in the form of the tool, and
// says what came back. It never calculates.
import * as z from 'zod/mini'
import { languageFor } from '#server/integrations/llm/language.ts'
import type { ChatRequest } from './openai.request.ts'
import type { FakeReply } from './openai.ts'

const TOOL = 'query_table'
/** Rows that an answer names. */
const NAMED = 5

const described = z.object({
  table: z.string(),
  columns: z.array(z.object({ column: z.number(), name: z.string(), type: z.string() })),
})
const result = z.object({
  columns: z.array(z.string()),
  matchedRows: z.number(),
  computed: z.array(z.record(z.string(), z.unknown())),
  rows: z.array(z.object({ cells: z.array(z.string()) })),
})
type Table = z.infer<typeof described>
type Result = z.infer<typeof result>

/** What is asked of the column of figures. */
type Asked = { filter?: { operator: 'lt' | 'gt'; value: number }; sort?: 'asc' | 'desc'; isAverage?: boolean }

/** A question to a table, or the answer made from its result. Undefined where the request is about something else. */
export function replyFromTable(request: ChatRequest): FakeReply | undefined {
  const question = questionOf(request)
  const asked = askedOf(question)
  const last = request.messages.at(-1)
  if (!asked || !last) return undefined
  if (last.role === 'tool') {
    const computed = readResult(last.content)
    return computed && { text: say(question, asked, computed) }
  }
  const table = request.tools?.some((tool) => tool.function.name === TOOL) ? tableOf(request) : undefined
  const figures = table?.columns.find(({ type }) => type === 'number')?.column
  if (!table || figures === undefined) return undefined
  return { toolCalls: [{ name: TOOL, arguments: JSON.stringify(formOf(table.table, figures, asked)) }] }
}

/** The customer's newest words, without the data that stand behind them. */
function questionOf({ messages }: ChatRequest): string {
  const lastUserText = messages.findLast((message) => message.role === 'user')?.content ?? ''
  return lastUserText.split(/\n\n[^\n]+, as data:\n/)[0] ?? ''
}

function askedOf(question: string): Asked | undefined {
  const limit =
    /(дешевле|до|меньше|under|below|less than|cheaper than|дороже|больше|over|above|more than)\s+(?:чем\s+)?\$?(\d[\d\s]*)/iu.exec(
      question,
    )
  const value = Number(limit?.[2]?.replace(/\s/g, ''))
  if (limit && value > 0) {
    const isMore = /дороже|больше|over|above|more/iu.test(limit[1] ?? '')
    return { filter: { operator: isMore ? 'gt' : 'lt', value }, sort: isMore ? 'desc' : 'asc' }
  }
  if (/средн\p{L}+ цен|average price/iu.test(question)) return { isAverage: true }
  if (/сам\p{L}+ дешев|дешевле всего|cheapest/iu.test(question.replaceAll('ё', 'е'))) return { sort: 'asc' }
  if (/сам\p{L}+ дорог|дороже всего|most expensive/iu.test(question)) return { sort: 'desc' }
  return undefined
}

function formOf(table: string, column: number, { filter, sort, isAverage }: Asked): object {
  return {
    table,
    ...(filter && { filters: [{ column, ...filter }], aggregates: [{ function: 'count' }] }),
    ...(isAverage && { aggregates: [{ function: 'avg', column }] }),
    ...(sort && { sort: { column, direction: sort } }),
    limit: NAMED,
  }
}

/** The first of the tables that the prompt describes. */
function tableOf({ messages }: ChatRequest): Table | undefined {
  for (const { role, content } of messages) {
    if (role !== 'user') continue
    const lines = /^Tables that the tool [^\n]+, as data:\n[0-9a-f]{24}\n([^\n]+)/m.exec(content)
    if (lines?.[1]) return described.parse(JSON.parse(lines[1]))
  }
  return undefined
}

function readResult(content: string): Result | undefined {
  const json = /\{[\s\S]*\}/.exec(content)?.[0]
  return json === undefined ? undefined : result.parse(JSON.parse(json))
}

function say(question: string, { filter, isAverage }: Asked, { columns, matchedRows, computed, rows }: Result): string {
  const isRussian = languageFor(question) === 'ru'
  if (isAverage) {
    const [average] = Object.values(computed[0] ?? {})
    const figure = typeof average === 'number' ? String(Math.round(average * 100) / 100) : String(average)
    return isRussian ? `В среднем: ${figure}.` : `On average: ${figure}.`
  }
  const named = rows
    .slice(0, NAMED)
    .map(({ cells }) => `- ${columns.map((name, at) => `${name}: ${cells[at] ?? ''}`).join(', ')}`)
  if (!filter) return named.slice(0, 1).join('\n').replace('- ', '')
  const total = isRussian ? `Всего: ${matchedRows}.` : `There are ${matchedRows}.`
  return [total, ...named].join('\n')
}
