// Texts of a table are found however they are written: in one piece or in several, a telephone by any writing, a word by its sound.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askTable, countWordsHeld } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { planQuestion } from '#server/domain/knowledge/tables/tables.query.ts'
import { findTablesTool } from '#server/domain/messaging/replies/tools/tables.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const SERVICES = 'Услуга,Телефон\nWi-Fi,+7 (701) 555-00-11\nОнлайн-запись,8 701 555 00 12\n'

const STOCK =
  'Товар,Место\nМука 5 кг,Кабинет № 5\nЧайник 220 В,Кабинет 12\nСоль 1 000 г,Зал 1/2\n"Болт 3,50х35",Café\nТруба 1½,п. 3.10\nМолоко 3.50 л,Café К10\nСок 0.5 л,Café К11\n'

/** More different values than are compared with a text. */
const goods = Array.from({ length: 12_000 }, (_, at) => `Шайба ${at + 1},${at}`)

let app: TestApp
let person: Person
let table: DataTable
let large: DataTable
let stock: DataTable

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  table = await imported('Услуги.csv', SERVICES)
  stock = await imported('Кухня.csv', STOCK)
  large = await imported('Склад.csv', `Товар,Остаток\n${goods.join('\n')}\nЯкорь складной,5\n`)
})
afterAll(() => app.close())

async function imported(name: string, body: string): Promise<DataTable> {
  const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name })
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body, headers })
  await app.settle()
  const paginationOpts = { numItems: 1, cursor: null }
  const { page } = await person.http.query(api.knowledge.tables.list, { knowledgeSpaceId, paginationOpts })
  return page[0] as DataTable
}

/** Numbers of the rows that contain a text; where there are none, the values named as near. */
async function containing(column: number, value: string): Promise<(number | string)[]> {
  return asked({ column, operator: 'contains', value })
}

async function asked(filter: { column: number; operator: 'contains' | 'eq' | 'ne'; value: string }, of = table) {
  const { _id: organizationId } = person.organization
  const question = { table: of._id, filters: [filter] }
  const plan = planQuestion(of, tableQuestion.parse(question))
  const { rows, near = [] } = await app.database.organization(organizationId, (db) =>
    askTable({ db, organizationId }, plan),
  )
  return rows.length > 0 ? rows.map(({ number }) => number) : near.flatMap(({ values }) => values)
}

it.each([
  [1, 'wifi', [1]],
  [1, 'wi fi', [1]],
  [1, 'вайфай', ['Wi-Fi']],
  [1, 'онлайн запись', [2]],
  [1, 'онлайнзапись', [2]],
  [2, '87015550011', [1]],
  [2, '+7 701 5550012', [2]],
  [2, '555-00-11', [1]],
])('in column %i «%s» is found', async (column, value, found) => {
  expect(await containing(column, value)).toEqual(found)
})

it.each([
  ['eq', '+7 (701) 555-00-11', [1]],
  ['eq', '8–701–555–00–12', [2]],
  ['eq', '555-00-11', ['+7 (701) 555-00-11', '8 701 555 00 12']],
  ['ne', '+7 701 555 00 11', [2]],
] as const)('a telephone is %s to %s in any writing', async (operator, value, found) => {
  expect(await asked({ column: 2, operator, value })).toEqual(found)
})

it.each([
  [1, 'мука 5kg', [1]],
  [1, 'чайник 220v', [2]],
  [1, 'соль 1000г', [3]],
  [2, 'кабинет 5', [1]],
  [2, 'кабинет №12', [2]],
  [2, 'зал ½', [3]],
  [2, 'зал 0,5', [3]],
  [1, 'болт 3.5x35', [4]],
  [2, 'cafe', [4]],
  [1, 'труба 1.5', [5]],
  [2, 'п. 3.1', ['п. 3.10']],
  [1, 'молоко 3,5л', [6]],
  [1, 'сок ½ л', [7]],
  [1, 'сок .5 l', [7]],
  [2, 'cafe k10', [6]],
  [2, 'к1', ['Café К10', 'Café К11']],
])('in column %i «%s» is found, whatever the signs and units', async (column, value, found) => {
  expect(await asked({ column, operator: 'eq', value }, stock)).toEqual(found)
})

it('the nearest value is offered among any number of others', async () => {
  expect(await asked({ column: 1, operator: 'eq', value: 'якарь складной' }, large)).toContain('Якорь складной')
})

it('a table is found by what stands in its rows, beyond the values that describe it', async () => {
  const { _id: organizationId } = person.organization
  const tables = [table, large, stock]
  const count = (words: string[]) =>
    app.database.organization(organizationId, (db) =>
      countWordsHeld(
        { db, organizationId },
        tables.map(({ _id }) => _id),
        words,
      ),
    )
  const tool = findTablesTool(tables, count, { tool: () => undefined })
  const find = async (words: string) => tool.run({ words }, new AbortController().signal)
  expect(await find('складные якоря')).toMatchObject({ found: [{ table: large._id }] })
  expect(await find('сок')).toMatchObject({ found: [{ table: stock._id }] })
  expect(await find('крокодил')).toEqual({ found: [] })
})
