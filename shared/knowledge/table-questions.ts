// Questions to a table, filled in by a model, or by a person in the tester: filters, groups, sums, an order.
import * as z from 'zod/mini'
import { id } from '#shared/schema.ts'
import { searchInput } from './knowledge.ts'
import {
  AGGREGATE_FUNCTIONS,
  type AggregateFunction,
  type ColumnType,
  type DataTable,
  type UsedRows,
} from './tables.ts'

export const OPERATORS = [
  'eq',
  'ne',
  'lt',
  'lte',
  'gt',
  'gte',
  'contains',
  'starts_with',
  'is_empty',
  'is_filled',
] as const
export const DIRECTIONS = ['asc', 'desc'] as const
export type Operator = (typeof OPERATORS)[number]

/** Rows and groups of one answer. */
export const QUERY_ROWS_MAX = 50
export const QUERY_ROWS = 20
/** Aggregates of one question. */
export const AGGREGATES_MAX = 5
export const FILTERS_MAX = 10
export const FILTER_TEXT_MAX = 200

const column = z.number().check(z.int(), z.minimum(1))
const direction = z.enum(DIRECTIONS)
const value = z.union([z.string().check(z.maxLength(FILTER_TEXT_MAX)), z.number(), z.boolean()])
const filter = z.strictObject({ column, operator: z.enum(OPERATORS), value: z.optional(value) })
const aggregate = z.strictObject({ function: z.enum(AGGREGATE_FUNCTIONS), column: z.optional(column) })

/** Columns and aggregates are numbered from 1. Groups are sorted by their column or by an aggregate, rows by a column. */
export const tableQuestion = z.strictObject({
  table: z.string().check(z.maxLength(64)),
  filters: z._default(z.array(filter).check(z.maxLength(FILTERS_MAX)), () => []),
  sort: z.optional(
    z.strictObject({
      column: z.optional(column),
      aggregate: z.optional(column.check(z.maximum(AGGREGATES_MAX))),
      direction,
    }),
  ),
  groupBy: z.optional(column),
  aggregates: z._default(z.array(aggregate).check(z.maxLength(AGGREGATES_MAX)), () => []),
  limit: z._default(z.number().check(z.int(), z.minimum(1), z.maximum(QUERY_ROWS_MAX)), QUERY_ROWS),
})
export type TableQuestion = z.infer<typeof tableQuestion>
/** As received: fields with defaults may be missing. */
export type GivenTableQuestion = z.input<typeof tableQuestion>

/** Operators that make sense for a type. */
export const OPERATORS_OF: Record<ColumnType, readonly Operator[]> = {
  number: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_empty', 'is_filled'],
  date: ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'is_empty', 'is_filled'],
  text: ['eq', 'ne', 'contains', 'starts_with', 'is_empty', 'is_filled'],
  boolean: ['eq', 'ne', 'is_empty', 'is_filled'],
}

/** Whether an operator is compared with a value. */
export function takesValue(operator: Operator): boolean {
  return operator !== 'is_empty' && operator !== 'is_filled'
}

/** Whether a function can be computed of a column. */
export function isComputable(name: AggregateFunction, type: ColumnType): boolean {
  return name === 'count' || type === 'number' || (type === 'date' && (name === 'min' || name === 'max'))
}

/** Without an agent: a question to the space alone. */
const asker = { knowledgeSpaceId: id('knowledgeSpaces'), agentId: z.optional(id('agents')) }
export const askableTablesInput = z.strictObject(asker)
export const askTableInput = z.strictObject({ ...asker, question: tableQuestion })
export const askTablesByModelInput = z.strictObject({ agentId: id('agents'), query: searchInput.shape.query })

/** `tables`: the tables that can be queried, as described to a model; `unlisted`: how many more exist. */
export type AskableTables = { tables: DataTable[]; unlisted: number }

/** One call of the tool, as the record of an answer would show it. */
export type TableCall = {
  /** The arguments of the tool call, as JSON. */
  arguments: string
  /** The tool's result, verbatim. */
  output: string
  /** The result reports an error in the question. */
  isRefused: boolean
  /** Null for a table that cannot be queried. */
  tableName: string | null
  /** Null when it was refused. */
  rows: UsedRows | null
}

/** A model's tool calls for a question, and its final answer. */
export type TriedTables = { calls: TableCall[]; text: string }
