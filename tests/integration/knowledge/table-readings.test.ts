// Ambiguities of a file, through the whole server: nothing is computed until a user resolves them, and correctly from then on.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DataTable, TableReading } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
const { tables } = api.knowledge

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
})

async function upload(body: string): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'Прайс.csv' })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body, headers })
  await app.settle()
  return get((await answer.json()) as DataTable)
}
const get = ({ _id: tableId }: Pick<DataTable, '_id'>) => person.http.query(tables.get, { tableId })
const ask = async (table: DataTable, question: object) => {
  const { output: text, isRefused } = await person.http.action(api.agents.tables.ask, {
    knowledgeSpaceId,
    question: { table: table._id, ...question },
  })
  return isRefused ? text : JSON.parse(text)
}
async function read(table: DataTable, reading: TableReading): Promise<DataTable> {
  await person.http.mutation(tables.setReading, { tableId: table._id, reading })
  await app.settle()
  return get(table)
}
const SUM = { aggregates: [{ function: 'sum', column: 2 }] }

it('the meaning of a column’s currency sign is asked, and the answer is kept when the file is parsed again', async () => {
  const table = await upload('Товар;Вес, кг\nМука;12,125\nСоль;45,375\n')
  expect(table.columns[1]).toMatchObject({ doubt: { kind: 'sign', sign: ',' } })
  expect(await ask(table, SUM)).toMatch(/not settled/)
  expect((await ask(table, {})).rows).toHaveLength(2)
  const settle = (means: 'decimal' | 'day-first') =>
    person.http.mutation(tables.settleColumn, { tableId: table._id, column: 2, means })
  await expect(settle('day-first')).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
  await settle('decimal')
  await app.settle()
  const settled = await get(table)
  expect(settled.columns[1]).not.toHaveProperty('doubt')
  expect((await ask(settled, SUM)).computed).toEqual([{ 'sum of column 2': 57.5 }])
  const again = await read(settled, { lastRow: 2 })
  expect(again).toMatchObject({ rows: 1, reading: { lastRow: 2 } })
  expect((await ask(again, SUM)).computed).toEqual([{ 'sum of column 2': 12.125 }])
})

it('the header row can be chosen from a preview of the sheet', async () => {
  const table = await upload('Кеды;белый;100\nТуфли;чёрный;200\nШарф;синий;50\n')
  expect(table.warnings).toEqual([{ kind: 'header_unsure' }])
  expect(await ask(table, { aggregates: [{ function: 'count' }] })).toMatch(/not settled/)
  expect(await ask(table, {})).not.toHaveProperty('matchedRows')
  const rows = await person.http.query(tables.firstRows, { tableId: table._id })
  expect(rows[1]).toEqual(['Туфли', 'чёрный', '200'])
  const headless = await read(table, { headerRow: 0 })
  expect(headless).toMatchObject({ rows: 3, warnings: [] })
  expect((await ask(headless, { aggregates: [{ function: 'sum', column: 3 }] })).computed).toEqual([
    { 'sum of column 3': 350 },
  ])
  expect(await read(table, { headerRow: 1, headerRows: 1 })).toMatchObject({
    rows: 2,
    columns: [{ name: 'Кеды' }, {}, {}],
  })
})

it('a file is not parsed again while its texts are being imported', async () => {
  const table = await upload('Товар;Цена\nСтол;10\nСтул;20\n')
  await person.http.mutation(tables.importColumn, { tableId: table._id, column: 1 })
  await app.settle()
  await expect(
    person.http.mutation(tables.setReading, { tableId: table._id, reading: { headerRow: 0 } }),
  ).rejects.toMatchObject({ data: { code: 'table_has_chunks' } })
})

it('several tables in a sheet are split automatically', async () => {
  await upload('Товар;Цвет;Цена\nСтол;белый;10\nСтул;чёрный;20\n\nУслуги\nУслуга;Срок;Стоимость\nДоставка;быстро;500\n')
  const { page } = await person.http.query(tables.list, {
    knowledgeSpaceId,
    paginationOpts: { numItems: 10, cursor: null },
  })
  expect(page.map(({ name, rows, warnings }) => [name, rows, warnings]).toSorted()).toEqual([
    ['Прайс.csv · Услуги', 1, []],
    ['Прайс.csv', 2, []],
  ])
})

it('two currencies are never summed', async () => {
  const table = await upload('Товар;Цена\nСтол;18 200 ₸\nСтул;950 $\nШкаф;12 000 тг\n')
  expect(await ask(table, SUM)).toMatch(/different units, which stand in column 3/)
  const inTenge = [{ column: 3, operator: 'eq', value: '₸' }]
  expect((await ask(table, { ...SUM, filters: inTenge })).computed).toEqual([{ 'sum of column 2': 30_200 }])
  const each = await ask(table, { ...SUM, groupBy: 3 })
  expect(each.computed).toEqual(expect.arrayContaining([{ group: '$', 'sum of column 2': 950 }]))
})
