// Workbooks of several sheets: each sheet that is chosen becomes a table of its own, from one file.
import { existsSync } from 'node:fs'
import { utils, write } from '@e965/xlsx'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
let first: DataTable

const { tables } = api.knowledge
const SHEETS: [string, unknown[][]][] = [
  [
    'Прайс',
    [
      ['Товар', 'Цена'],
      ['Стол', 1200.5],
      ['Стул', 300],
    ],
  ],
  [
    'Остатки',
    [
      ['Товар', 'Штук'],
      ['Стол', 3],
    ],
  ],
  ['Обложка', [['Наша компания']]],
]

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
  const [[name, rows], ...others] = SHEETS as [(typeof SHEETS)[0], ...typeof SHEETS]
  const book = utils.book_new(utils.aoa_to_sheet(rows), name)
  for (const [other, cells] of others) utils.book_append_sheet(book, utils.aoa_to_sheet(cells), other)
  first = await uploaded('Магазин.xlsx', write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer)
})

const get = (tableId: Id<'tables'>) => person.http.query(tables.get, { tableId })
const sheetsOf = (table: DataTable, by = person) => by.http.query(tables.sheets, { tableId: table._id })
const take = (sheets: string[], table = first, by = person) =>
  by.http.mutation(tables.takeSheets, { tableId: table._id, sheets })
const list = async () => {
  const paginationOpts = { numItems: 10, cursor: null }
  const { page } = await person.http.query(tables.list, { knowledgeSpaceId, paginationOpts })
  return page.toReversed()
}
async function tableOf(sheet: string): Promise<DataTable> {
  const found = (await list()).find((table) => table.sheet === sheet)
  if (!found) throw new Error(`No table of ${sheet}`)
  return found
}

it('begins with the first sheet, and says which others there are', async () => {
  expect(first).toMatchObject({
    status: 'ready',
    sheet: 'Прайс',
    rows: 2,
    warnings: [{ kind: 'sheets_left_out', count: 2 }],
  })
  expect(await sheetsOf(first)).toEqual([
    { name: 'Прайс', tableId: first._id },
    { name: 'Остатки', tableId: null },
    { name: 'Обложка', tableId: null },
  ])
})

it('makes a table of each chosen sheet once, with the marks of the first, and counts what is left', async () => {
  await person.http.mutation(api.knowledge.marks.update, {
    sourceId: first._id,
    patch: { tags: ['retail'] },
  })
  await take(['Остатки'])
  await take(['Остатки', 'Прайс'])
  await app.settle()
  const [prices, stock, ...others] = await list()
  expect(others).toEqual([])
  expect(prices).toMatchObject({
    _id: first._id,
    name: 'Магазин.xlsx',
    warnings: [{ kind: 'sheets_left_out', count: 1 }],
  })
  expect(stock).toMatchObject({
    name: 'Магазин.xlsx · Остатки',
    sheet: 'Остатки',
    status: 'ready',
    rows: 1,
    tags: ['retail'],
    columns: [{ name: 'Товар' }, { name: 'Штук', type: 'number' }],
    warnings: [{ kind: 'sheets_left_out', count: 1 }],
  })
  await expect(take(['Другой'])).rejects.toMatchObject({ data: { code: 'invalid_arguments' } })
})

it('keeps its sheet when it is analyzed again, and names the file once however it was chosen', async () => {
  await take(['Остатки'])
  await app.settle()
  const stock = await tableOf('Остатки')
  await take(['Обложка'], stock)
  await app.settle()
  const cover = await tableOf('Обложка')
  expect(cover).toMatchObject({ name: 'Магазин.xlsx · Обложка', status: 'error', errorReason: 'empty' })
  expect(await get(first._id)).toMatchObject({ warnings: [] })
  await app.database.root
    .updateTable('knowledge_tables')
    .where('id', '=', stock._id)
    .set({ status: 'error', analyzed_at: null })
    .execute()
  for (const { _id: tableId } of [stock, cover]) await person.http.mutation(tables.retry, { tableId })
  await app.settle()
  expect(await get(stock._id)).toMatchObject({ status: 'ready', sheet: 'Остатки', rows: 1 })
  expect(await get(cover._id)).toMatchObject({ status: 'error', errorReason: 'empty', sheet: 'Обложка' })
})

it('keeps the file as long as a table is made of it, and counts a deleted sheet as left out again', async () => {
  await take(['Остатки'])
  await app.settle()
  const stock = await tableOf('Остатки')
  const file = await app.services.files.localPath(first._id)
  await person.http.mutation(tables.remove, { tableId: first._id })
  await app.settle()
  expect(existsSync(file)).toBe(true)
  expect(await get(stock._id)).toMatchObject({ warnings: [{ kind: 'sheets_left_out', count: 2 }] })
  await take(['Прайс'], stock)
  await app.settle()
  expect(await tableOf('Прайс')).toMatchObject({ status: 'ready', rows: 2, name: 'Магазин.xlsx · Прайс' })
  for (const { _id: tableId } of await list()) await person.http.mutation(tables.remove, { tableId })
  await app.settle()
  expect(existsSync(file)).toBe(false)
})

it('offers nothing to choose of a file without sheets, and nothing to strangers', async () => {
  const plain = await uploaded('Прайс.csv', Buffer.from('Товар;Цена\nСтол;5\n'))
  expect(plain.sheet).toBeNull()
  expect(await sheetsOf(plain)).toEqual([])
  await expect(sheetsOf(first, stranger)).rejects.toMatchObject({ data: { code: 'not_found' } })
  await expect(take(['Остатки'], first, stranger)).rejects.toMatchObject({ data: { code: 'not_found' } })
})

async function uploaded(name: string, body: Buffer): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers,
  })
  const { _id } = (await answer.json()) as DataTable
  await app.settle()
  return get(_id)
}
