// The built-in model and tables: it asks them by the tool that any model has, and names the rows that it speaks of. Where a question can
// only be computed and it cannot tell how, it says so; it never quotes some number instead.
import { z } from 'zod'
import { soundOf } from '#server/platform/lib/text/word-sounds.ts'
import type { DataTable, TableColumn } from '#shared/knowledge/tables.ts'
import type { AnswerLanguage } from '../language.ts'
import type { GenerateRequest } from '../llm.ts'
import type { Tool } from '../tool.ts'
import { stemOf, subjectStems, wordsOf } from '../words.ts'
import { ALL_ROWS, beginningsOf, readWishes, type TableWish, type TableWishes } from './extractive-table-question.ts'

/** An answer, or that there must be none: the question is one for a table, and nothing can be computed. */
export type FromTables = { text: string } | 'declined' | null

type Filter = { column: number; operator: string; value?: string | number }
type Row = { row: number; cells: string[] }
type Result = z.infer<typeof resultSchema>
/** A table with the columns of its names, prices and stocks, from 0. */
type Asked = { table: DataTable; name: number; number: number | null; filters: Filter[] }

const TOOL = 'query_table'
const TABLES_MAX = 8
const WORDS_MAX = 6
const ROWS_SHOWN = 5
const PRICE = /цен|стоим|тариф|прайс|розниц|price|cost|rate|fee|баға/iu
const STOCK = /остат|налич|кол-?в|количес|stock|qty|quantity|avail|саны|қалды/iu
const NAME = /наимен|назв|товар|услуг|продук|модел|позици|item|product|name|service|title|атау|тауар|қызмет/iu

/** Numbers by which something is called: the dearest room is not that of the highest number. */
const NUMBERING = /^(?:№|номер|нөмір|код|артикул|id|sku|п\/п|no\.?|number|room)(?!\p{L})/iu
const SERVICE = /услуг|service|қызмет/iu

const TEXTS = {
  ru: {
    row: 'строка',
    source: 'Источник',
    count: 'Подходящих строк в таблице',
    average: 'Среднее по столбцу',
    sum: 'Сумма по столбцу',
    more: (count: number) => `Ещё подходит строк: ${count}.`,
    uncounted: (cells: number, column: string) => `Не посчитаны ячейки столбца «${column}» без числа: ${cells}.`,
    notExact: 'Часть чисел неточная: например, «от» или «больше».',
    none: 'Таких строк в таблице нет.',
    quotes: ['«', '»'],
  },
  en: {
    row: 'row',
    source: 'Source',
    count: 'Matching rows in the table',
    average: 'Average of column',
    sum: 'Sum of column',
    more: (count: number) => `Further matching rows: ${count}.`,
    uncounted: (cells: number, column: string) =>
      `Cells of column “${column}” without a number are not counted: ${cells}.`,
    notExact: 'Some numbers are not exact, such as “from” or “more than”.',
    none: 'The table has no such rows.',
    quotes: ['“', '”'],
  },
  kk: {
    row: 'жол',
    source: 'Дереккөз',
    count: 'Кестедегі сәйкес жолдар саны',
    average: 'Баған бойынша орташа мән',
    sum: 'Баған бойынша қосынды',
    more: (count: number) => `Тағы сәйкес жолдар: ${count}.`,
    uncounted: (cells: number, column: string) => `«${column}» бағанындағы саны жоқ ұяшықтар есептелмеді: ${cells}.`,
    notExact: 'Кейбір сандар дәл емес: мысалы, «бастап» немесе «артық».',
    none: 'Кестеде ондай жолдар жоқ.',
    quotes: ['«', '»'],
  },
} as const

const resultSchema = z.object({
  matchedRows: z.number().optional(),
  cellsOfAnotherType: z.array(z.object({ column: z.string(), cells: z.number() })).default([]),
  notExact: z.array(z.string()).default([]),
  computed: z.array(z.record(z.string(), z.unknown())).default([]),
  rows: z.array(z.object({ row: z.number(), cells: z.array(z.string()) })),
  near: z.array(z.object({ values: z.array(z.string()) })).default([]),
})

/** Null where tables have nothing to do with the question. @throws the signal's reason */
export async function answerFromTables(
  question: string,
  { tables, tools, signal }: Pick<GenerateRequest, 'tables' | 'tools' | 'signal'>,
  language: AnswerLanguage,
): Promise<FromTables> {
  const tool = tools.find(({ name }) => name === TOOL)
  if (!tool || !tables) return null
  const wishes = readWishes(question)
  const found: Asked[] = []
  const { first, rest } = rankedFor(tables.known, question)
  for (const { table } of first) {
    const asked = await matchTable(tables.probe, table, wishes, signal)
    if (asked) found.push(asked)
  }
  const [only, ...others] = found
  if (!only) return wishes.isForced ? 'declined' : null
  // Of which of them, the question does not say; and a table that was not asked may be meant as well.
  const shared = first.find(({ table }) => table === only.table)?.shared ?? 0
  const isUnclear = others.length > 0 || rest.some((left) => left.shared >= shared)
  if (isUnclear && wishes.wish.kind !== 'lookup') return 'declined'
  const texts: string[] = []
  for (const asked of found.slice(0, 2)) {
    const text = await answerOf(tool, asked, wishes, { language, signal })
    if (text) texts.push(text)
  }
  if (texts.length === 0) return wishes.isForced || wishes.wish.kind === 'lookup' ? 'declined' : null
  return { text: texts.join('\n\n') }
}

type Ranked = { table: DataTable; shared: number }

/** The tables that share most words with a question, as many as are asked, and the rest. */
function rankedFor(tables: DataTable[], question: string): { first: Ranked[]; rest: Ranked[] } {
  const asked = subjectStems(question)
  const sharedWith = ({ name, columns }: DataTable) => {
    const own = subjectStems([name, ...columns.flatMap((column) => [column.name, ...column.samples])].join(' '))
    return [...asked].filter((stem) => own.has(stem)).length
  }
  const rated = tables.map((table) => ({ table, shared: sharedWith(table) }))
  const ranked = rated.toSorted((a, b) => b.shared - a.shared)
  return { first: ranked.slice(0, TABLES_MAX), rest: ranked.slice(TABLES_MAX) }
}

/** How a table is asked; null where it does not hold what the question is about. */
async function matchTable(
  tool: Tool,
  table: DataTable,
  { wish, topic, words, isOfGoods }: TableWishes,
  signal: AbortSignal,
): Promise<Asked | null> {
  const name = nameColumn(table.columns)
  if (name === null || (isOfGoods && SERVICE.test(table.columns[name]?.name ?? ''))) return null
  const own = new Set([table.name, ...table.columns.map((column) => column.name)].flatMap(wordsOf).map(stemOf))
  const isOfServices = SERVICE.test(table.columns[name]?.name ?? '')
  const isOwn = (word: string) => own.has(stemOf(word)) || (isOfServices && ALL_ROWS.test(word))
  const named = words.filter(isOwn)
  const sought = words.filter((word) => !isOwn(word)).slice(0, WORDS_MAX)
  const number = numberColumn(table.columns, named, topic)
  if (wish.kind === 'lookup' && sought.length === 0) return null
  if (wish.kind !== 'lookup' && wish.kind !== 'count' && number === null) return null
  const filters: Filter[] = []
  for (const word of sought) {
    const filter = await filterFor(tool, table, name, { word, signal })
    if (!filter) return null
    filters.push(filter)
  }
  return { table, name, number, filters }
}

/** A column in which a word stands, first that of the names. */
async function filterFor(
  tool: Tool,
  table: DataTable,
  name: number,
  { word, signal }: { word: string; signal: AbortSignal },
): Promise<Filter | null> {
  const texts = [...table.columns.keys()].filter((at) => table.columns[at]?.type === 'text' && at !== name)
  for (const column of [name, ...texts].slice(0, 4)) {
    for (const value of beginningsOf(word)) {
      const filter = { column: column + 1, operator: 'contains', value }
      const result = await ask(tool, { table: table._id, filters: [filter], limit: 1 }, signal)
      if (result && result.rows.length > 0) return filter
      const heard = result?.near.flatMap(({ values }) => values).find((each) => soundsLike(word, each))
      if (heard !== undefined) return { column: column + 1, operator: 'contains', value: heard }
    }
  }
  return null
}

/** A value that is the same word in the other alphabet: «вайфай» and Wi-Fi. */
function soundsLike(word: string, value: string): boolean {
  const [asked, own] = [soundOf(word), soundOf(value.toLowerCase().replace(/[-\s]/g, ''))]
  return asked !== undefined && asked.key === own?.key
}

function nameColumn(columns: TableColumn[]): number | null {
  const texts = [...columns.keys()].filter((at) => columns[at]?.type === 'text')
  return texts.find((at) => NAME.test(columns[at]?.name ?? '')) ?? texts[0] ?? null
}

/** The column of numbers that a question names, or means by asking for a price or a stock; null where that is not clear. */
function numberColumn(columns: TableColumn[], named: string[], topic: 'price' | 'stock' | null): number | null {
  const numbers = [...columns.keys()].filter(
    (at) => columns[at]?.type === 'number' && !NUMBERING.test(columns[at]?.name ?? ''),
  )
  const stems = new Set(named.map(stemOf))
  const isNamed = (at: number) => wordsOf(columns[at]?.name ?? '').some((word) => stems.has(stemOf(word)))
  const byName = numbers.filter(isNamed)
  if (byName.length > 0) return byName.length === 1 ? (byName[0] ?? null) : null
  const pattern = topic === 'stock' ? STOCK : PRICE
  const byTopic = numbers.filter((at) => pattern.test(columns[at]?.name ?? ''))
  if (byTopic.length > 0) return byTopic.length === 1 || topic === null ? (byTopic[0] ?? null) : null
  return numbers.length === 1 && topic !== 'stock' ? (numbers[0] ?? null) : null
}

async function answerOf(
  tool: Tool,
  asked: Asked,
  { wish, topic, words }: TableWishes,
  { language, signal }: { language: AnswerLanguage; signal: AbortSignal },
): Promise<string | null> {
  const question = questionOf(asked, wish)
  const result = await ask(tool, question, signal)
  if (!result) return null
  const texts = TEXTS[language]
  const caveats = notCounted(result, language)
  const source = (rows: Row[]) =>
    `${texts.source}: ${asked.table.name}${rows.length > 0 ? `, ${texts.row} ${rows.map(({ row }) => row).join(', ')}` : ''}`
  if (wish.kind === 'count') {
    if (result.matchedRows === undefined) return null
    return [`${texts.count}: ${result.matchedRows}.`, source([])].join('\n')
  }
  if (wish.kind === 'average' || wish.kind === 'sum') {
    const value = Object.values(result.computed[0] ?? {})[0]
    if (typeof value !== 'number') return null
    const column = asked.table.columns[asked.number ?? 0]
    const label = `${texts[wish.kind]} ${texts.quotes[0]}${column?.name}${texts.quotes[1]}`
    return [`${label}: ${numberText(value, language)}${unitText(column)}.`, ...caveats, source([])].join('\n')
  }
  const rows = wish.kind === 'lookup' ? bestRows(result.rows, asked, words) : tiedRows(result.rows, asked, wish)
  if (rows.length === 0) return wish.kind === 'compare' ? [texts.none, ...caveats, source([])].join('\n') : null
  const shown = rows.slice(0, ROWS_SHOWN)
  const lines = shown.map((row) => rowText(row, asked, { topic, language }))
  const left = (wish.kind === 'compare' ? (result.matchedRows ?? rows.length) : rows.length) - shown.length
  return [
    ...lines,
    ...(left > 0 ? [texts.more(left)] : []),
    ...(wish.kind === 'lookup' ? [] : caveats),
    source(shown),
  ].join('\n')
}

function questionOf({ table, number, filters }: Asked, wish: TableWish): object {
  const base = { table: table._id, filters, limit: 50 }
  const column = (number ?? 0) + 1
  switch (wish.kind) {
    case 'count':
      return { ...base, aggregates: [{ function: 'count' }], limit: 1 }
    case 'average':
      return { ...base, aggregates: [{ function: 'avg', column }], limit: 1 }
    case 'sum':
      return { ...base, aggregates: [{ function: 'sum', column }], limit: 1 }
    case 'lowest':
    case 'highest':
      return {
        ...base,
        filters: [...filters, { column, operator: 'is_filled' }],
        sort: { column, direction: wish.kind === 'lowest' ? 'asc' : 'desc' },
      }
    case 'compare':
      return {
        ...base,
        filters: [...filters, ...wish.limits.map(({ operator, limit }) => ({ column, operator, value: limit }))],
        sort: { column, direction: 'asc' },
      }
    case 'lookup':
      return base
    default:
      return wish satisfies never
  }
}

/** The rows of the smallest or largest number, all that have the same; of a comparison all. */
function tiedRows(rows: Row[], { number }: Asked, wish: TableWish): Row[] {
  if (wish.kind === 'compare') return rows
  const first = rows[0]?.cells[number ?? 0]
  return rows.filter(({ cells }) => cells[number ?? 0] === first)
}

/** Rows whose names hold most of the words: «стол» means the table before the table lamp. */
function bestRows(rows: Row[], { name }: Asked, words: string[]): Row[] {
  const stems = new Set(words.map(stemOf))
  const rated = rows.map((row) => {
    const own = wordsOf(row.cells[name] ?? '').map(stemOf)
    return { row, isWhole: own.length > 0 && own.every((stem) => stems.has(stem)) }
  })
  const whole = rated.filter(({ isWhole }) => isWhole)
  return (whole.length > 0 ? whole : rated).map(({ row }) => row)
}

/** The name of a row with what is asked of it; with all of its cells where nothing certain is asked. */
function rowText(
  { cells }: Row,
  { table, name, number }: Asked,
  { topic, language }: { topic: 'price' | 'stock' | null; language: AnswerLanguage },
): string {
  const { quotes } = TEXTS[language]
  const columns = table.columns
  const units = new Set(columns.flatMap(({ units: own }) => (own ? [own.column - 1] : [])))
  const wanted =
    topic !== null && number !== null ? [number] : [...columns.keys()].filter((at) => at !== name && !units.has(at))
  const facts = wanted.flatMap((at) => {
    const cell = cells[at] || (topic !== null ? '—' : '')
    return cell
      ? [`${columns[at]?.name}: ${cell}${/[\p{L}\p{Sc}%]/u.test(cell) || cell === '—' ? '' : unitText(columns[at])}`]
      : []
  })
  return `${quotes[0]}${cells[name] ?? ''}${quotes[1]} – ${facts.join('; ')}`
}

function notCounted({ cellsOfAnotherType, notExact }: Result, language: AnswerLanguage): string[] {
  const texts = TEXTS[language]
  return [
    ...cellsOfAnotherType.map(({ cells, column }) => texts.uncounted(cells, column)),
    ...(notExact.length > 0 ? [texts.notExact] : []),
  ]
}

function unitText(column: TableColumn | undefined): string {
  return column?.unit ? ` ${column.unit}` : ''
}

function numberText(value: number, language: AnswerLanguage): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value)
}

/** Undefined for a question that is refused. */
async function ask(tool: Tool, question: object, signal: AbortSignal): Promise<Result | undefined> {
  const parsed = resultSchema.safeParse(await tool.run(question, signal))
  return parsed.success ? parsed.data : undefined
}
