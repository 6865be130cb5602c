// The tool by which a model queries the agent's tables: it passes a structured query, the server validates it against the tables of this
// turn and computes the result. Names and cells reach the model as fenced data only.
import * as z from 'zod/mini'
import type { TableAnswer } from '#server/domain/knowledge/tables/tables.query.store.ts'
import {
  BadQuestion,
  type PlannedColumn,
  planQuestion,
  type TablePlan,
} from '#server/domain/knowledge/tables/tables.query.ts'
import type { DataBlock } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import {
  AGGREGATES_MAX,
  DIRECTIONS,
  FILTERS_MAX,
  OPERATORS,
  QUERY_ROWS_MAX,
  tableQuestion,
} from '#shared/knowledge/table-questions.ts'
import {
  AGGREGATE_FUNCTIONS,
  type DataTable,
  isTableDoubt,
  type TableColumn,
  type UsedRows,
} from '#shared/knowledge/tables.ts'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import { describeTables, findTables, fitRows, missingOf, notesOf, wordsHeld } from './tables.rules.ts'

const NAME = 'query_table'
const DESCRIPTION =
  'Counts, compares, adds up or lists rows of a table listed under "Tables". Use it for every question about numbers, prices, dates or lists that a table may answer, and never calculate yourself: copy numbers from the result. For the largest or best of something, sort by it. Where the result says that rows or groups are left out, do not speak of all of them: sort, filter or ask for more. Where it says that something of the file is missing, that cells of another type were not counted, or that cells are no exact numbers, say so beside the number. Numbers of different units or currencies are never put together. Where no row has a text, near values are named: ask which of them is meant.'
const FIND_NAME = 'find_tables'
const FIND_DESCRIPTION =
  'Finds tables by words of their name, columns and rows, and tells their columns; where more match, it names others and says how many it leaves out: search again with words that tell them apart. Use it where no table that is described in full may hold the answer.'
/** Maximum tables that a search returns. */
const FOUND_MAX = 5
const FIND_WORDS_MAX = 200
const findQuestion = z.strictObject({ words: z.string().check(z.maxLength(FIND_WORDS_MAX)) })
/** Up to this many tables, their ids are an enum in the tool's schema; beyond it the model copies them. */
const NAMED_TABLES = 100
/** The tool's error for a table that is not offered to the model. */
export const NO_SUCH_TABLE = 'There is no such table.'
/** Maximum rows and groups that a source shows per query. */
const SHOWN_ROWS = 20
/** Maximum queries of one table that a source shows, the newest ones. */
const SHOWN_QUESTIONS = 5

type Ask = (plan: TablePlan) => Promise<TableAnswer>

/** Rows from which results were computed, as sources of the message. Filled while the tool runs, one per table. */
export type UsedTables = Map<string, MessageSource>

/** The description of the tables for the model, with the ids and column numbers to refer to them. Undefined without tables. */
export function tablesBlock(tables: DataTable[], question: string): DataBlock | undefined {
  if (tables.length === 0) return undefined
  return { title: `Tables that the tool ${NAME} can be asked about`, text: describeTables(tables, question).text }
}

/** How many of some words the rows of each table hold. */
type CountHeld = (words: string[]) => Promise<ReadonlyMap<string, number>>

/** The tool that searches for tables, where there are too many to describe in full. */
export function findTablesTool(tables: DataTable[], countHeld: CountHeld, trace: Pick<TraceRecorder, 'tool'>): Tool {
  return {
    name: FIND_NAME,
    description: FIND_DESCRIPTION,
    parameters: {
      type: 'object',
      properties: { words: { type: 'string', maxLength: FIND_WORDS_MAX } },
      required: ['words'],
      additionalProperties: false,
    },
    async run(given) {
      const startedAt = performance.now()
      const parsed = findQuestion.safeParse(given)
      const result = parsed.success
        ? await foundBy(tables, parsed.data.words, countHeld)
        : 'The arguments do not have the form that the tool asks for.'
      const hasFound = typeof result !== 'string' && result.found.length > 0
      const durationMs = Math.round(performance.now() - startedAt)
      trace.tool({ name: FIND_NAME, arguments: given, result, hasFailed: !parsed.success, hasFound, durationMs })
      return result
    },
  }
}

/** The best tables, the next by name, and how many more there are: a search that stops without a word passes for all there is. */
async function foundBy(tables: DataTable[], words: string, countHeld: CountHeld) {
  const asked = wordsHeld(words)
  const held = asked.length > 0 ? await countHeld(asked) : undefined
  const { found, others, leftOut } = findTables(tables, words, FOUND_MAX, held)
  const read = (texts: string[]) => texts.map((text): unknown => JSON.parse(text))
  return { found: read(found), ...(others.length > 0 && { others: read(others) }), ...(leftOut > 0 && { leftOut }) }
}

/** The query tool over the tables read for this turn: other ids and columns are refused. */
export function tablesTool(tables: DataTable[], ask: Ask, used: UsedTables, trace: Pick<TraceRecorder, 'tool'>): Tool {
  return {
    name: NAME,
    description: DESCRIPTION,
    parameters: parametersOf(tables),
    async run(given) {
      const startedAt = performance.now()
      const result = await answer(tables, given, ask, used)
      const durationMs = Math.round(performance.now() - startedAt)
      const hasFailed = typeof result === 'string'
      const hasFound = !hasFailed && result.rows.length > 0
      trace.tool({ name: NAME, arguments: given, result, hasFailed, hasFound, durationMs })
      return result
    },
  }
}

/** A string result is the error in the query. */
async function answer(tables: DataTable[], given: unknown, ask: Ask, used: UsedTables) {
  const parsed = tableQuestion.safeParse(given)
  if (!parsed.success) return 'The arguments do not have the form that the tool asks for.'
  const table = tables.find(({ _id }) => _id === parsed.data.table)
  if (!table) return NO_SUCH_TABLE
  try {
    const plan = planQuestion(table, parsed.data)
    const computed = await ask(plan)
    const found = { ...computed, rows: fitRows(computed.rows) }
    used.set(table._id, sourceOf(table, plan, found, used.get(table._id)?.rows))
    return resultOf(table, plan, found)
  } catch (error) {
    if (error instanceof BadQuestion) return error.message
    throw error
  }
}

function parametersOf(tables: DataTable[]): Record<string, unknown> {
  const column = { type: 'integer', minimum: 1, description: 'Number of the column.' }
  const aggregate = {
    type: 'integer',
    minimum: 1,
    maximum: AGGREGATES_MAX,
    description: 'Number of the aggregate in the order of the list "aggregates", from 1.',
  }
  const object = (properties: Record<string, unknown>, required: string[]) => ({
    type: 'object',
    properties,
    required,
    additionalProperties: false,
  })
  const value = { description: 'A number, true or false, a text, or a date as 2026-02-01.' }
  const filter = object({ column, operator: { type: 'string', enum: OPERATORS }, value }, ['column', 'operator'])
  return object(
    {
      table: { type: 'string', ...(tables.length <= NAMED_TABLES && { enum: tables.map(({ _id }) => _id) }) },
      filters: { type: 'array', maxItems: FILTERS_MAX, items: filter, description: 'All of them hold.' },
      groupBy: column,
      aggregates: {
        type: 'array',
        maxItems: AGGREGATES_MAX,
        items: object({ function: { type: 'string', enum: AGGREGATE_FUNCTIONS }, column }, ['function']),
        description: 'Computed of each group, or of all rows that the filters let through.',
      },
      sort: {
        ...object({ column, aggregate, direction: { type: 'string', enum: DIRECTIONS } }, ['direction']),
        description:
          'Rows by a column. With groupBy: groups by an aggregate or by the column they are grouped by; the largest come first where nothing is said.',
      },
      limit: { type: 'integer', minimum: 1, maximum: QUERY_ROWS_MAX, description: 'Rows or groups at most.' },
    },
    ['table'],
  )
}

function resultOf(table: DataTable, plan: TablePlan, { matched, rows, groups, groupCount, near = [] }: TableAnswer) {
  const labels = plan.aggregates.map(({ function: name, column }) =>
    column ? `${name} of column ${column.index + 1}` : 'number of rows',
  )
  const missing = missingOf(table)
  const uncounted = uncountedOf(table, plan)
  const notes = columnsOf(table, plan).flatMap((column) => notesOf(column).map((note) => `${column.name}: ${note}`))
  const isUnsettled = table.warnings.some(isTableDoubt)
  const units = table.columns.flatMap(({ name, unit }) => (unit === undefined ? [] : [{ column: name, unit }]))
  return {
    table: table.name,
    columns: table.columns.map(({ name }) => name),
    ...(units.length > 0 && { units }),
    ...(isUnsettled
      ? { unsettled: 'How this table is to be read is not settled: do not say how many rows it has.' }
      : { matchedRows: matched, ofRows: table.rows }),
    ...(missing.length > 0 && { missing }),
    ...(uncounted.length > 0 && { cellsOfAnotherType: uncounted }),
    ...(notes.length > 0 && { notExact: notes }),
    ...(near.length > 0 && {
      near: near.map(({ column, values }) => ({ column: table.columns[column]?.name ?? '', values })),
    }),
    ...(plan.groupBy && { groups: groupCount }),
    leftOut: { rows: matched - rows.length, ...(plan.groupBy && { groups: groupCount - groups.length }) },
    computed: groups.map(({ key, values }) => ({
      ...(plan.groupBy && { group: key }),
      ...Object.fromEntries(labels.map((label, index) => [label, values[index] ?? null])),
    })),
    rows: rows.map(({ number, cells }) => ({ row: number, cells })),
  }
}

/** Cells of the whole table that comparisons, sorting and sums skip, in the columns of a plan. */
function uncountedOf(table: DataTable, plan: TablePlan) {
  return columnsOf(table, plan).flatMap(({ name, unfit }) => (unfit > 0 ? [{ column: name, cells: unfit }] : []))
}

/** The columns that a plan uses. */
function columnsOf({ columns }: DataTable, { filters, aggregates, sort }: TablePlan): TableColumn[] {
  const named = [...filters, ...aggregates, ...(sort ? [sort] : [])].flatMap((each) =>
    'column' in each && each.column ? [each.column.index] : [],
  )
  return [...new Set(named)].flatMap((index) => columns[index] ?? [])
}

function sourceOf(table: DataTable, plan: TablePlan, answer: TableAnswer, before: UsedRows[] = []): MessageSource {
  const shown = usedRows(table, plan, answer)
  const others = before.filter((each) => JSON.stringify(each) !== JSON.stringify(shown))
  return {
    chunkId: table._id,
    documentId: table._id,
    source: table.name,
    page: null,
    score: 1,
    excerpt: shown.rows
      .map(({ cells }) => cells.filter(Boolean).join(' | '))
      .join('\n')
      .slice(0, 400)
      .toWellFormed(),
    rows: [...others, shown].slice(-SHOWN_QUESTIONS),
  }
}

function usedRows({ columns }: DataTable, plan: TablePlan, answer: TableAnswer): UsedRows {
  const nameOf = (column: PlannedColumn | null) => (column ? (columns[column.index]?.name ?? null) : null)
  return {
    columns: columns.map(({ name }) => name),
    rows: answer.rows.slice(0, SHOWN_ROWS),
    matched: answer.matched,
    ...(plan.aggregates.length > 0 && {
      computed: {
        groupedBy: nameOf(plan.groupBy),
        aggregates: plan.aggregates.map(({ function: name, column }) => ({ function: name, column: nameOf(column) })),
        groups: answer.groups.slice(0, SHOWN_ROWS),
        groupCount: answer.groupCount,
      },
    }),
  }
}
