// What a model and a reader receive of a computed answer, including how much of it is left out.
import { describe, expect, it } from 'vitest'
import type { TableAnswer } from '#server/domain/knowledge/tables/tables.query.store.ts'
import type { TablePlan } from '#server/domain/knowledge/tables/tables.query.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { tablesTool, type UsedTables } from './tables.ts'

const SALES: DataTable = {
  _id: 'sales' as Id<'tables'>,
  knowledgeSpaceId: 'space' as Id<'knowledgeSpaces'>,
  name: 'Sales.csv',
  format: 'csv',
  sizeBytes: 1,
  sheet: null,
  status: 'ready',
  errorReason: null,
  warnings: [],
  reading: {},
  columns: [
    { name: 'Product', type: 'text', samples: [], unfit: 0 },
    { name: 'Sold', type: 'number', samples: [], unfit: 0 },
  ],
  rows: 90,
  isAnalyzed: true,
  importedColumn: null,
  chunks: { total: null, ready: 0, failed: 0 },
  tags: [],
  validFrom: null,
  validUntil: null,
  language: null,
  chosenLanguage: null,
  uploadedAt: 0,
}
const ROWS = Array.from({ length: 3 }, (_, at) => ({ number: at + 1, cells: [`Item ${at}`, `${at}`] }))
const GROUPS = [
  { key: 'Chair', values: [12] },
  { key: 'Table', values: [7] },
]

async function asked(question: object, answer: TableAnswer, table = SALES) {
  const used: UsedTables = new Map()
  const plans: TablePlan[] = []
  const compute = async (plan: TablePlan) => {
    plans.push(plan)
    return answer
  }
  const tool = tablesTool([table], compute, used, { tool: () => undefined })
  const result = await tool.run({ table: 'sales', ...question }, new AbortController().signal)
  return { result, plan: plans[0], rows: used.get('sales')?.rows }
}

describe('the best groups', () => {
  const question = {
    groupBy: 1,
    aggregates: [{ function: 'sum', column: 2 }],
    sort: { aggregate: 1, direction: 'desc' },
    limit: 2,
  }
  const answer = { matched: 90, rows: ROWS, groups: GROUPS, groupCount: 31 }

  it('are sorted by what was computed of them', async () => {
    const { plan } = await asked(question, answer)
    expect(plan).toMatchObject({ limit: 2, sort: null, groupSort: { aggregate: 0, direction: 'desc' } })
  })

  it('come to the model with how many others there are', async () => {
    expect((await asked(question, answer)).result).toMatchObject({
      groups: 31,
      leftOut: { rows: 87, groups: 29 },
      computed: [
        { group: 'Chair', 'sum of column 2': 12 },
        { group: 'Table', 'sum of column 2': 7 },
      ],
    })
  })

  it('stand in the source with how many others there are', async () => {
    const { rows } = await asked(question, answer)
    expect(rows).toMatchObject([
      {
        matched: 90,
        computed: {
          groupedBy: 'Product',
          aggregates: [{ function: 'sum', column: 'Sold' }],
          groups: GROUPS,
          groupCount: 31,
        },
      },
    ])
  })
})

describe('an answer without groups', () => {
  it('says what was computed of all rows', async () => {
    const groups = [{ key: null, values: [3] }]
    const { result, rows } = await asked(
      { aggregates: [{ function: 'count' }] },
      { matched: 3, rows: ROWS, groups, groupCount: 1 },
    )
    expect(result).toMatchObject({ leftOut: { rows: 0 }, computed: [{ 'number of rows': 3 }] })
    expect(result).not.toHaveProperty('groups')
    expect(rows?.[0]?.computed).toMatchObject({ groupedBy: null, aggregates: [{ function: 'count', column: null }] })
  })

  it('computes nothing where nothing is asked for', async () => {
    const { rows } = await asked({}, { matched: 3, rows: ROWS, groups: [], groupCount: 0 })
    expect(rows?.[0]).not.toHaveProperty('computed')
  })
})

it('a number of a table that is not whole comes with what it does not count', async () => {
  const columns = SALES.columns.map((column) => ({ ...column, unfit: 7 }))
  const table: DataTable = { ...SALES, columns, warnings: [{ kind: 'rows_left_out', kept: 90 }] }
  const question = { aggregates: [{ function: 'sum', column: 2 }] }
  const answer = { matched: 90, rows: [], groups: [{ key: null, values: [19] }], groupCount: 1 }
  expect((await asked(question, answer, table)).result).toMatchObject({
    missing: ['the file has more rows: only the first 90 are known'],
    cellsOfAnotherType: [{ column: 'Sold', cells: 7 }],
  })
  const whole = (await asked(question, answer)).result
  expect(whole).not.toHaveProperty('missing')
  expect(whole).not.toHaveProperty('cellsOfAnotherType')
})

it('a number comes with what it is a number of', async () => {
  const columns = SALES.columns.map((column, at) => (at === 1 ? { ...column, unit: 'кг' } : column))
  const question = { aggregates: [{ function: 'sum', column: 2 }] }
  const answer = { matched: 3, rows: [], groups: [{ key: null, values: [19] }], groupCount: 1 }
  expect((await asked(question, answer, { ...SALES, columns })).result).toMatchObject({
    units: [{ column: 'Sold', unit: 'кг' }],
  })
  expect((await asked(question, answer)).result).not.toHaveProperty('units')
})
