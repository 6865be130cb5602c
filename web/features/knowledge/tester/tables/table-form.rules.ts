// A question to a table while a person makes it: what may be chosen, and what is asked in the end. Pure.
import type { Id } from '#shared/ids.ts'
import {
  type DIRECTIONS,
  type GivenTableQuestion,
  isComputable,
  OPERATORS_OF,
  type Operator,
  QUERY_ROWS,
  QUERY_ROWS_MAX,
  takesValue,
} from '#shared/knowledge/table-questions.ts'
import { AGGREGATE_FUNCTIONS, type AggregateFunction, type TableColumn } from '#shared/knowledge/tables.ts'

/** `value`: as typed; a number column has a number, NaN while what is typed is none. */
export type FilterDraft = { key: number; column: number; operator: Operator; value: string | number | boolean | null }
/** `column` null: rows are counted. */
export type FigureDraft = { key: number; function: AggregateFunction; column: number | null }
/** What is sorted by: a column, or one of the figures. */
export type SortBy = { column: number } | { aggregate: number }
export type QuestionDraft = {
  filters: FilterDraft[]
  figures: FigureDraft[]
  groupBy: number | null
  sortBy: SortBy | null
  direction: (typeof DIRECTIONS)[number]
  limit: number | null
}

export const NEW_QUESTION: QuestionDraft = {
  filters: [],
  figures: [],
  groupBy: null,
  sortBy: null,
  direction: 'asc',
  limit: QUERY_ROWS,
}

/** A filter by a column with the first operator of its type. */
export function filterOn(columns: TableColumn[], key: number, column: number): FilterDraft {
  const type = columns[column - 1]?.type ?? 'text'
  const operator = type === 'text' ? 'contains' : (OPERATORS_OF[type][0] ?? 'is_filled')
  return { key, column, operator, value: type === 'boolean' ? true : type === 'number' ? null : '' }
}

/** Columns of which a function can be computed, by number. */
export function computableColumns(columns: TableColumn[], name: AggregateFunction): number[] {
  return columns.flatMap(({ type }, at) => (isComputable(name, type) ? [at + 1] : []))
}

/** Functions that can be computed of some column. */
export function possibleFunctions(columns: TableColumn[]): AggregateFunction[] {
  return AGGREGATE_FUNCTIONS.filter((name) => computableColumns(columns, name).length > 0)
}

/** A figure by a function: of the column it had, if that still fits. */
export function figureBy(columns: TableColumn[], figure: FigureDraft, name: AggregateFunction): FigureDraft {
  const possible = computableColumns(columns, name)
  if (figure.column !== null && possible.includes(figure.column)) return { ...figure, function: name }
  return { ...figure, function: name, column: name === 'count' ? null : (possible[0] ?? null) }
}

/** What rows, or groups where there are some, can be sorted by. */
export function sortChoices(columns: TableColumn[], { groupBy, figures }: QuestionDraft): SortBy[] {
  if (groupBy === null) return columns.map((_, at) => ({ column: at + 1 }))
  return [
    { column: groupBy },
    ...Array.from({ length: Math.max(1, figures.length) }, (_, at) => ({ aggregate: at + 1 })),
  ]
}

/** The draft after a change: ordered by the same figure whatever its number is now, and by nothing that is no choice any more. */
export function changed(columns: TableColumn[], before: QuestionDraft, patch: Partial<QuestionDraft>): QuestionDraft {
  const draft = { ...before, sortBy: sameSort(before, patch.figures), ...patch }
  const wanted = JSON.stringify(draft.sortBy)
  const isPossible = sortChoices(columns, draft).some((choice) => JSON.stringify(choice) === wanted)
  return isPossible ? draft : { ...draft, sortBy: null }
}

/** Figures are sorted by their place, which others may take. */
function sameSort({ sortBy, figures }: QuestionDraft, after = figures): SortBy | null {
  if (sortBy === null || 'column' in sortBy) return sortBy
  const sorted = figures[sortBy.aggregate - 1]
  // Without figures rows are counted; so does the first one that is added.
  const at = after.findIndex((each) => (sorted ? each.key === sorted.key : isRowCount(each)))
  if (at >= 0) return { aggregate: at + 1 }
  return after.length === 0 && (!sorted || isRowCount(sorted)) ? { aggregate: 1 } : null
}

function isRowCount({ function: name, column }: FigureDraft): boolean {
  return name === 'count' && column === null
}

/** Filters that lack a value, by key. */
export function unfilled({ filters }: QuestionDraft): number[] {
  return filters.flatMap(({ key, operator, value }) => {
    const isGiven = typeof value === 'string' ? value.trim() !== '' : value !== null && !Number.isNaN(value)
    return takesValue(operator) && !isGiven ? [key] : []
  })
}

export function isLimitGood({ limit }: QuestionDraft): boolean {
  return limit !== null && Number.isInteger(limit) && limit >= 1 && limit <= QUERY_ROWS_MAX
}

/** The arguments of the tool. */
export function questionOf(table: Id<'tables'>, draft: QuestionDraft): GivenTableQuestion {
  const { filters, figures, groupBy, sortBy, direction, limit } = draft
  return {
    table,
    ...(filters.length > 0 && {
      filters: filters.map(({ column, operator, value }) => ({
        column,
        operator,
        ...(takesValue(operator) && value !== null && { value }),
      })),
    }),
    ...(figures.length > 0 && {
      aggregates: figures.map(({ function: name, column }) => ({ function: name, ...(column !== null && { column }) })),
    }),
    ...(groupBy !== null && { groupBy }),
    ...(sortBy !== null && { sort: { ...sortBy, direction } }),
    ...(limit !== null && { limit }),
  }
}
