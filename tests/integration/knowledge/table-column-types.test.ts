// The type of a column as a user corrects it: what agents compute with from then on, and the report on cells that do not fit.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { describeColumns } from '#server/domain/knowledge/tables/tables.columns.ts'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { planQuestion } from '#server/domain/knowledge/tables/tables.query.ts'
import type { Id } from '#shared/ids.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { ColumnType, DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
})

const { tables } = api.knowledge
const LIST =
  'Товар;Размер\nСтол;1 200,50\nСтул;по желанию\nШкаф;5 000\nПолка;без размера\nЛампа;–\nКресло;—\nКомод;по желанию\n'
const pages = { paginationOpts: { numItems: 10, cursor: null } }

async function upload(body: string): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'Прайс.csv' })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body, headers })
  await app.settle()
  return get(((await answer.json()) as DataTable)._id)
}
const get = (tableId: DataTable['_id']) => person.http.query(tables.get, { tableId })
const choose = (table: DataTable, column: number, type: ColumnType, by = person) =>
  by.http.mutation(tables.setColumnType, { tableId: table._id, column, type })
const ask = (table: DataTable, question: object) =>
  app.database.organization(person.organization._id, (db) =>
    askTable(
      { db, organizationId: person.organization._id },
      planQuestion(table, tableQuestion.parse({ table: table._id, ...question })),
    ),
  )
const SUM = { aggregates: [{ function: 'sum', column: 2 }] }

it('is queried by the chosen type, reports the cells that do not fit, and keeps them as in the file', async () => {
  const found = await upload(LIST)
  expect(found.columns[1]).toMatchObject({ type: 'text', unfit: 0 })
  await expect(ask(found, SUM)).rejects.toThrow('sum does not apply')
  await choose(found, 2, 'number')
  await app.settle()
  const table = await get(found._id)
  expect(table.columns[1]).toEqual({
    name: 'Размер',
    type: 'number',
    isChosen: true,
    samples: ['1 200,50', 'по желанию', '5 000'],
    readAs: [1200.5, null, 5000],
    notes: [],
    unfit: 3,
    misfits: [
      { row: 2, cell: 'по желанию' },
      { row: 4, cell: 'без размера' },
    ],
  })
  expect((await ask(table, SUM)).groups).toEqual([{ key: null, values: [6200.5] }])
  expect((await ask(table, { filters: [{ column: 2, operator: 'gt', value: 2000 }] })).rows).toEqual([
    { number: 3, cells: ['Шкаф', '5 000'] },
  ])
  const { page } = await person.http.query(tables.rows, { tableId: table._id, ...pages })
  expect(page[1]).toEqual({ number: 2, cells: ['Стул', 'по желанию'] })
  await choose(table, 2, 'text')
  await app.settle()
  const again = await get(table._id)
  expect(again.columns[1]).toMatchObject({ type: 'text', isChosen: true, unfit: 0, misfits: [] })
  expect((await ask(again, { filters: [{ column: 2, operator: 'contains', value: 'Желанию' }] })).matched).toBe(2)
})

it('stays as chosen when the file is parsed again, and when rows are described again', async () => {
  const table = await upload(LIST)
  await choose(table, 2, 'number')
  await app.settle()
  const data = { organizationId: person.organization._id, tableId: table._id }
  await describeColumns(app.services, data, new AbortController().signal)
  expect((await get(table._id)).columns[1]).toMatchObject({ type: 'number', isChosen: true, unfit: 3 })
  const { root } = app.database
  await root
    .updateTable('knowledge_tables')
    .where('id', '=', table._id)
    .set({ status: 'error', error_reason: 'timeout', analyzed_at: null })
    .execute()
  await root.deleteFrom('table_rows').where('table_id', '=', table._id).execute()
  await person.http.mutation(tables.retry, { tableId: table._id })
  await app.settle()
  const read = await get(table._id)
  expect(read).toMatchObject({ status: 'ready', rows: 7 })
  expect(read.columns[1]).toMatchObject({ type: 'number', isChosen: true, unfit: 3 })
  expect((await ask(read, SUM)).groups).toEqual([{ key: null, values: [6200.5] }])
})

it('changes while the columns are being described, without either being lost', async () => {
  const table = await upload(LIST)
  const data = { organizationId: person.organization._id, tableId: table._id }
  await Promise.all([
    choose(table, 2, 'number'),
    describeColumns(app.services, data, new AbortController().signal),
    choose(table, 1, 'boolean'),
  ])
  await app.settle()
  expect((await get(table._id)).columns).toMatchObject([
    { type: 'boolean', unfit: 7 },
    { type: 'number', unfit: 3 },
  ])
})

it('can be chosen for a large table too, with dates in the format of most cells', async () => {
  const lines = Array.from(
    { length: 6000 },
    (_, at) => `${at};${at % 3 === 0 ? 'уточняется' : `0${1 + (at % 9)}.02.2026`}`,
  )
  const table = await upload(`Номер;Привоз\n${lines.join('\n')}\n`)
  await choose(table, 2, 'date')
  await app.settle()
  const read = await get(table._id)
  expect(read.columns[1]).toMatchObject({ type: 'date', unfit: 2000 })
  const filters = [{ column: 2, operator: 'lte', value: '2026-02-02' }]
  expect((await ask(read, { filters })).matched).toBe(lines.filter((line) => /;0[12]\./.test(line)).length)
})

it('is refused for missing columns, unparsed tables, and strangers', async () => {
  const table = await upload(LIST)
  const refused = (code: string) => ({ data: expect.objectContaining({ code }) })
  await expect(choose(table, 3, 'number')).rejects.toMatchObject(refused('invalid_arguments'))
  await expect(choose(table, 2, 'money' as ColumnType)).rejects.toMatchObject(refused('invalid_arguments'))
  await expect(choose(table, 2, 'number', stranger)).rejects.toMatchObject(refused('not_found'))
  await expect(choose(await upload('a,b\n'), 1, 'number')).rejects.toMatchObject(refused('table_not_analyzed'))
})
