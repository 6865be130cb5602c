// 500 questions to price lists and stocks in Russian and English, asked by the tool that agents have: each answer is compared as a whole
// with one calculated by hand, so that no number, row or cell in it can be anything but what the file says or what follows from it.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { askTable } from '#server/domain/knowledge/tables/tables.query.store.ts'
import { tablesTool } from '#server/domain/messaging/replies/tools/tables.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { seededRandom } from '#tests/random.ts'
import { type AskedTable, evened, makeQuestion, retyped } from './table-answers.ts'
import { csvOf, type MadeTable, makeTable } from './table-goods.ts'

const QUESTIONS = 500
const random = seededRandom(20_261_123)
const MADE = (['ru', 'en'] as const).flatMap((language) =>
  (['prices', 'stock'] as const).map((kind) => makeTable(random, kind, language)),
)

let app: TestApp
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
let tables: DataTable[]
let tool: Tool

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' }))._id
  tables = await Promise.all(MADE.map(upload))
  const { _id: organizationId } = person.organization
  tool = tablesTool(
    tables,
    (plan) => app.database.organization(organizationId, (db) => askTable({ db, organizationId }, plan)),
    new Map(),
    { tool: () => undefined },
  )
})
afterAll(() => app.close())

async function upload(made: MadeTable): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name: made.file })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body: csvOf(made), headers })
  const { _id: tableId } = (await answer.json()) as DataTable
  await app.settle()
  return person.http.query(api.knowledge.tables.get, { tableId })
}

async function ask(made: MadeTable, question: object): Promise<unknown> {
  const table = tables.find(({ name }) => name === made.file)?._id
  const result = await tool.run({ table, ...question }, new AbortController().signal)
  return JSON.parse(JSON.stringify(result), (key, value: unknown) => (key === 'near' ? undefined : value)) // as it reaches a model
}

/** Averages are endless: twelve digits of every number count. */
function rounded(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(12)) : value,
  )
}

it('types the columns as they are meant, however they were typed', () => {
  const types = { name: 'text', group: 'text', price: 'number', quantity: 'number', isThere: 'boolean', day: 'date' }
  for (const [at, { facts }] of MADE.entries()) {
    expect(tables[at]?.columns.map(({ type }) => type)).toEqual(facts.map((fact) => types[fact]))
  }
})

it('answers every question as a calculation by hand does', async () => {
  const wrong: (AskedTable & { got: unknown })[] = []
  let found = 0
  for (let at = 0; at < QUESTIONS; at++) {
    const made = MADE[at % MADE.length] as MadeTable
    const asked = makeQuestion(random, made)
    const got = await ask(made, asked.question)
    if (asked.answer.matchedRows > 0) found += 1
    if (JSON.stringify(rounded(got)) !== JSON.stringify(rounded(asked.answer))) wrong.push({ ...asked, got })
  }
  expect(wrong.slice(0, 3)).toEqual([])
  expect(found).toBeGreaterThan(QUESTIONS / 2) // most questions are about something
})

it('finds a text however it is typed', async () => {
  for (let at = 0; at < 60; at++) {
    const made = MADE[at % MADE.length] as MadeTable
    const { name } = random.pick(made.goods)
    const same = made.goods.filter((goods) => evened(goods.name) === evened(name)).length
    const value = retyped(random, name)
    const filters = [{ column: made.facts.indexOf('name') + 1, operator: 'eq', value }]
    expect([value, await ask(made, { filters })]).toMatchObject([value, { matchedRows: same }])
  }
})

it.each([
  ['1200.5', 1200.5],
  ['1200,5', 1200.5],
  ['1 200,50 ₽', 1200.5],
  ['1\u00a0200,50 руб.', 1200.5],
  ['$1,200.50', 1200.5],
  ['1.200,50', 1200.5],
  ['−15', -15],
])('takes %s for the number it is', async (value, number) => {
  for (const made of MADE) {
    const column = made.facts.indexOf('price') + 1
    const under = (limit: string | number) => ask(made, { filters: [{ column, operator: 'lte', value: limit }] })
    expect(await under(value)).toEqual(await under(number))
  }
})

it('refuses a number that means one thing in one language and another in the other', async () => {
  for (const made of MADE) {
    const filters = [{ column: made.facts.indexOf('price') + 1, operator: 'lt', value: '1,234' }]
    expect(await ask(made, { filters })).toMatch(/the value is none/)
  }
})
