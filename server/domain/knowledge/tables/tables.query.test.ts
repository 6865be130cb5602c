// Which questions to a table become a plan.
import { describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { ColumnType, DataTable } from '#shared/knowledge/tables.ts'
import { type AskedTable, BadQuestion, planQuestion } from './tables.query.ts'

const column = (name: string, type: ColumnType) => ({ name, type, samples: [], unfit: 0 })
const TABLE: AskedTable = {
  warnings: [],
  _id: 'table' as Id<'tables'>,
  columns: [
    column('Товар', 'text'),
    column('Цена', 'number'),
    column('В наличии', 'boolean'),
    column('Привоз', 'date'),
  ],
}

describe('a question', () => {
  it.each([
    { filters: [{ column: 9, operator: 'eq', value: 1 }] },
    { filters: [{ column: 1, operator: 'lt', value: 'a' }] },
    { filters: [{ column: 2, operator: 'eq', value: '1; drop table tables' }] },
    { filters: [{ column: 2, operator: 'eq' }] },
    { filters: [{ column: 4, operator: 'eq', value: 'вчера' }] },
    { aggregates: [{ function: 'sum', column: 1 }] },
    { aggregates: [{ function: 'avg' }] },
    { groupBy: 5 },
    { sort: { direction: 'asc' } },
    { sort: { column: 1, aggregate: 1, direction: 'asc' }, groupBy: 1 },
    { sort: { aggregate: 1, direction: 'desc' }, aggregates: [{ function: 'count' }] },
    { sort: { aggregate: 2, direction: 'desc' }, groupBy: 1, aggregates: [{ function: 'count' }] },
    { sort: { column: 2, direction: 'desc' }, groupBy: 1, aggregates: [{ function: 'sum', column: 2 }] },
  ])('that does not fit the types is refused: %j', (question) => {
    expect(() => planQuestion(TABLE, tableQuestion.parse({ table: TABLE._id, ...question }))).toThrow(BadQuestion)
  })

  it.each([
    { filters: [{ column: '1) or (1=1', operator: 'eq', value: 1 }] },
    { filters: [{ column: 1, operator: "= '' or '1'='1", value: 1 }] },
    { sort: { column: 1, direction: 'asc; drop table tables' } },
    { sort: { aggregate: 'sum(price)', direction: 'asc' }, groupBy: 1 },
    { aggregates: [{ function: 'pg_sleep(10)' }] },
    { limit: 1_000_000 },
    { sql: 'select 1' },
  ])('of another form is none: %j', (question) => {
    expect(tableQuestion.safeParse({ table: 'x', ...question }).success).toBe(false)
  })

  it('reports an error without repeating anything that others have written', () => {
    const question = tableQuestion.parse({ table: 'table', filters: [{ column: 1, operator: 'lt', value: 'Ignore' }] })
    expect(() => planQuestion(TABLE, question)).toThrow('Column 1 is a text: lt does not apply.')
  })

  it.each([
    ['0,125', 0.125],
    ['0,500', 0.5],
    ['-0,250', -0.25],
    ['1,234', undefined],
    ['10,125', undefined],
    ['0,125,000', undefined],
  ])('that says %s means %s', (value, number) => {
    const ask = () =>
      planQuestion(TABLE, tableQuestion.parse({ table: 'table', filters: [{ column: 2, operator: 'eq', value }] }))
    if (number === undefined) expect(ask).toThrow(BadQuestion)
    else expect(ask().filters[0]?.value).toBe(number)
  })

  it('has its columns counted from 0 and its values typed', () => {
    const filters = [
      { column: 2, operator: 'lt', value: '1000' },
      { column: 4, operator: 'gte', value: '2026-2-1' },
      { column: 1, operator: 'contains', value: ' Ёлка ' },
    ]
    const plan = planQuestion(TABLE, tableQuestion.parse({ table: 'table', filters }))
    expect(plan.filters.map(({ column: { index }, value }) => [index, value])).toEqual([
      [1, 1000],
      [3, '2026-02-01'],
      [0, 'елка'],
    ])
  })
})

describe('a question that would give a wrong number', () => {
  const doubt = { kind: 'sign' as const, sign: ',' as const, examples: [] }
  const units = { column: 3, values: ['₸', '$'] }
  const priced = (price: Partial<DataTable['columns'][number]>, warnings: DataTable['warnings'] = []): AskedTable => ({
    ...TABLE,
    warnings,
    columns: [column('Товар', 'text'), { ...column('Цена', 'number'), ...price }, column('Цена: единица', 'text')],
  })
  const refusal = (table: AskedTable, question: object) => {
    try {
      planQuestion(table, tableQuestion.parse({ table: 'table', ...question }))
      return null
    } catch (error) {
      if (error instanceof BadQuestion) return error.message
      throw error
    }
  }
  const COMPUTING = [
    { aggregates: [{ function: 'sum', column: 2 }] },
    { aggregates: [{ function: 'min', column: 2 }] },
    { sort: { column: 2, direction: 'asc' } },
    { filters: [{ column: 2, operator: 'lt', value: 1000 }] },
  ]
  const inTenge = [{ column: 3, operator: 'eq', value: '₸' }]

  it.each(COMPUTING)('of a column that is in doubt is refused: %j', (question) => {
    expect(refusal(priced({ doubt }), question)).toMatch(/not settled/)
    expect(refusal(priced({}), question)).toBeNull()
  })

  it.each([...COMPUTING, { aggregates: [{ function: 'count' }] }, { groupBy: 1 }])(
    'of a table that is in doubt is refused: %j',
    (question) => {
      expect(refusal(priced({}, [{ kind: 'header_unsure' }]), question)).toMatch(/not settled/)
    },
  )

  it('can list rows all the same', () => {
    const rows = { filters: [{ column: 1, operator: 'contains', value: 'стол' }] }
    expect(refusal(priced({ doubt }, [{ kind: 'header_unsure' }]), rows)).toBeNull()
  })

  it.each(COMPUTING)('of several currencies is refused until it is about one of them: %j', (question) => {
    expect(refusal(priced({ units }), question)).toMatch(/different units, which stand in column 3/)
    const filters = [...inTenge, ...('filters' in question ? (question.filters ?? []) : [])]
    expect(refusal(priced({ units }), { ...question, filters })).toBeNull()
  })

  it('of several currencies is computed for each of them', () => {
    const sum = { groupBy: 3, aggregates: [{ function: 'sum', column: 2 }] }
    expect(refusal(priced({ units }), sum)).toBeNull()
    expect(refusal(priced({ units }), { ...sum, sort: { aggregate: 1, direction: 'desc' } })).toMatch(/different units/)
  })

  it('is refused where texts that hold numbers are to be sorted', () => {
    const sort = { sort: { column: 2, direction: 'asc' } }
    expect(refusal(priced({ type: 'text', numbers: 5 }), sort)).toMatch(/have no order/)
    expect(refusal(priced({ type: 'text' }), sort)).toBeNull()
    expect(refusal(priced({ type: 'text', numbers: 5 }), { ...sort, groupBy: 2 })).toMatch(/have no order/)
  })
})
