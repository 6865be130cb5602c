// Texts of a table are found however they are written: in one piece or in several, a telephone by any writing, a word by its sound.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { planQuestion } from '#server/domain/knowledge/tables/tables.query.ts'
import { tableQuestion } from '#shared/knowledge/table-questions.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

const SERVICES = 'Услуга,Телефон\nWi-Fi,+7 (701) 555-00-11\nОнлайн-запись,8 701 555 00 12\n'

let app: TestApp
let person: Person
let table: DataTable

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Услуги' })
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'Услуги.csv' })
  const headers = { authorization: `Bearer ${await person.token()}` }
  await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body: SERVICES, headers })
  await app.settle()
  const paginationOpts = { numItems: 1, cursor: null }
  const { page } = await person.http.query(api.knowledge.tables.list, { knowledgeSpaceId, paginationOpts })
  table = page[0] as DataTable
})
afterAll(() => app.close())

/** Numbers of the rows that contain a text; where there are none, the values named as near. */
async function containing(column: number, value: string): Promise<(number | string)[]> {
  const { _id: organizationId } = person.organization
  const question = { table: table._id, filters: [{ column, operator: 'contains', value }] }
  const plan = planQuestion(table, tableQuestion.parse(question))
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
