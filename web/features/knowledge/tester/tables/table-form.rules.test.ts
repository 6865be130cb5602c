// The form of a table question offers what the tool accepts, and asks exactly what was chosen.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { ColumnType, TableColumn } from '#shared/knowledge/tables.ts'
import {
  changed,
  computableColumns,
  figureBy,
  filterOn,
  isLimitGood,
  NEW_QUESTION,
  possibleFunctions,
  type QuestionDraft,
  questionOf,
  sortChoices,
  unfilled,
} from './table-form.rules.ts'

const column = (name: string, type: ColumnType): TableColumn => ({ name, type, samples: [], unfit: 0 })
const COLUMNS = [column('Item', 'text'), column('Price', 'number'), column('Since', 'date')]
const TABLE = 't1' as Id<'tables'>
const draft = (more: Partial<QuestionDraft>): QuestionDraft => ({ ...NEW_QUESTION, ...more })

describe('a form', () => {
  it('asks for the rows of the file when nothing was chosen', () => {
    expect(questionOf(TABLE, NEW_QUESTION)).toEqual({ table: TABLE, limit: 20 })
  })

  it('asks what was chosen, in the form of the tool', () => {
    const question = questionOf(
      TABLE,
      draft({
        filters: [
          { key: 1, column: 2, operator: 'lt', value: 1000.5 },
          { key: 2, column: 1, operator: 'is_filled', value: 'typed before' },
        ],
        figures: [
          { key: 3, function: 'count', column: null },
          { key: 4, function: 'sum', column: 2 },
        ],
        groupBy: 1,
        sortBy: { aggregate: 2 },
        direction: 'desc',
        limit: 5,
      }),
    )
    expect(question).toEqual({
      table: TABLE,
      filters: [
        { column: 2, operator: 'lt', value: 1000.5 },
        { column: 1, operator: 'is_filled' },
      ],
      aggregates: [{ function: 'count' }, { function: 'sum', column: 2 }],
      groupBy: 1,
      sort: { aggregate: 2, direction: 'desc' },
      limit: 5,
    })
    expect(tableQuestion.safeParse(question).success).toBe(true)
  })

  it('lacks a value where an operator takes one', () => {
    const filters = [filterOn(COLUMNS, 1, 1), filterOn(COLUMNS, 2, 2), { ...filterOn(COLUMNS, 3, 2), value: 0 }]
    const typedWrong = { ...filterOn(COLUMNS, 4, 2), value: Number.NaN }
    const none = { ...filterOn(COLUMNS, 5, 1), operator: 'is_empty' as const }
    expect(unfilled(draft({ filters: [...filters, typedWrong, none] }))).toEqual([1, 2, 4])
  })

  it.each([[null], [0], [51], [1.5], [Number.NaN]])('takes no %s rows', (limit) => {
    expect(isLimitGood(draft({ limit }))).toBe(false)
    expect(isLimitGood(draft({ limit: 50 }))).toBe(true)
  })
})

describe('what can be chosen', () => {
  it('are functions that fit a column', () => {
    expect(possibleFunctions([column('Item', 'text')])).toEqual(['count'])
    expect(possibleFunctions(COLUMNS)).toEqual(['count', 'sum', 'avg', 'min', 'max'])
    expect(computableColumns(COLUMNS, 'min')).toEqual([2, 3])
    expect(computableColumns(COLUMNS, 'sum')).toEqual([2])
  })

  it('keeps the column of a figure as long as it fits the function', () => {
    const figure = { key: 1, function: 'min', column: 3 } as const
    expect(figureBy(COLUMNS, figure, 'max')).toEqual({ key: 1, function: 'max', column: 3 })
    expect(figureBy(COLUMNS, figure, 'sum')).toEqual({ key: 1, function: 'sum', column: 2 })
    expect(figureBy(COLUMNS, { key: 1, function: 'count', column: null }, 'avg').column).toBe(2)
  })

  it('is an order of rows by a column, of groups by their column or a figure', () => {
    expect(sortChoices(COLUMNS, NEW_QUESTION)).toEqual([{ column: 1 }, { column: 2 }, { column: 3 }])
    expect(sortChoices(COLUMNS, draft({ groupBy: 3 }))).toEqual([{ column: 3 }, { aggregate: 1 }])
    const sorted = draft({ sortBy: { column: 2 } })
    expect(changed(COLUMNS, sorted, { limit: 5 })).toEqual({ ...sorted, limit: 5 })
    expect(changed(COLUMNS, sorted, { groupBy: 1 }).sortBy).toBeNull()
    expect(changed(COLUMNS, sorted, { sortBy: { column: 1 } }).sortBy).toEqual({ column: 1 })
  })

  it('is an order by the same figure, or none once that is gone', () => {
    const count = { key: 3, function: 'count', column: null } as const
    const sum = { key: 4, function: 'sum', column: 2 } as const
    const min = { key: 5, function: 'min', column: 2 } as const
    const sorted = draft({ groupBy: 1, figures: [count, sum, min], sortBy: { aggregate: 2 } })
    expect(changed(COLUMNS, sorted, { figures: [sum, min] }).sortBy).toEqual({ aggregate: 1 })
    expect(changed(COLUMNS, sorted, { figures: [count, min] }).sortBy).toBeNull()
    expect(changed(COLUMNS, draft({ ...sorted, figures: [count, sum] }), { figures: [count] }).sortBy).toBeNull()
    expect(changed(COLUMNS, sorted, { sortBy: { aggregate: 3 } }).sortBy).toEqual({ aggregate: 3 })
  })

  it('is an order by the number of rows, whether or not a figure says so', () => {
    const count = { key: 3, function: 'count', column: null } as const
    const sum = { key: 4, function: 'sum', column: 2 } as const
    const sorted = draft({ groupBy: 1, sortBy: { aggregate: 1 } })
    expect(changed(COLUMNS, sorted, { figures: [count] }).sortBy).toEqual({ aggregate: 1 })
    expect(changed(COLUMNS, draft({ ...sorted, figures: [count] }), { figures: [] }).sortBy).toEqual({ aggregate: 1 })
    expect(changed(COLUMNS, draft({ ...sorted, figures: [sum] }), { figures: [] }).sortBy).toBeNull()
  })
})
