// The table tester: what an agent may ask tables, and the result of its own tool, whether a model or a user chooses the arguments.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Id } from '#shared/ids.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const PRICES = 'Товар;Цена\nСтол;1 200,50\nСтул;300\nШкаф;5 000\nПолка;250\n'
const QUESTION = {
  filters: [{ column: 2, operator: 'lt' as const, value: 1000 }],
  aggregates: [{ function: 'count' as const }, { function: 'sum' as const, column: 2 }],
}

let app: TestApp
let person: Person
let stranger: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
let agentId: Id<'agents'>
let table: DataTable
let model: (request: GenerateRequest) => string | Promise<string> = echo

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp()
  stranger = await app.signUp()
})
afterAll(() => app.close())
beforeEach(async () => {
  model = echo
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Магазин' }))._id
  agentId = (await person.http.mutation(api.agents.create, { name: 'Продавец', model: 'openai/gpt-5-mini' }))._id
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  table = await uploaded('Прайс.csv', PRICES)
})

const tables = api.agents.tables
const list = (asker: { agentId?: Id<'agents'> } = {}) => person.http.action(tables.list, { knowledgeSpaceId, ...asker })
const ask = (question: object = QUESTION, asker: { agentId?: Id<'agents'> } = { agentId }) =>
  person.http.action(tables.ask, { knowledgeSpaceId, ...asker, question: { table: table._id, ...question } })
const askModel = (query: string) => person.http.action(tables.askModel, { agentId, query })

it('lists the tables that can be queried: those of the space, and those that the agent may use of all its spaces', async () => {
  const inSpace = knowledgeSpaceId
  expect((await list()).tables.map(({ name }) => name)).toEqual(['Прайс.csv'])
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Склад' }))._id
  await uploaded('Остатки.csv', 'Товар;Штук\nСтол;3\nСтул;5\n')
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  knowledgeSpaceId = inSpace
  expect((await list({ agentId })).tables.map(({ name }) => name)).toEqual(['Остатки.csv', 'Прайс.csv'])
  const enabledSources = ['documents', 'fragments'] as const
  await person.http.mutation(api.knowledge.spaces.update, {
    knowledgeSpaceId,
    patch: { enabledSources: [...enabledSources] },
  })
  expect((await list({ agentId })).tables.map(({ name }) => name)).toEqual(['Остатки.csv'])
  expect((await list()).tables).toEqual([])
})

it('returns exactly what the tool returns in a real answer', async () => {
  let toolResult: unknown
  model = async (request) => {
    const tool = request.tools.find(({ name }) => name === 'query_table')
    toolResult = await tool?.run({ table: table._id, ...QUESTION }, request.signal)
    return 'Готово.'
  }
  await person.http.mutation(api.testChat.send, { agentId, text: 'Сколько товаров дешевле 1000?' })
  await app.settle()
  const tried = await ask()
  expect(JSON.parse(tried.output)).toEqual(toolResult)
  expect(tried.output).toBe(JSON.stringify(toolResult))
  expect(JSON.parse(tried.arguments)).toEqual({ table: table._id, ...QUESTION, limit: 20 })
  expect(tried).toMatchObject({
    isRefused: false,
    tableName: 'Прайс.csv',
    rows: { matched: 2, rows: [{ number: 2 }, { number: 4 }], computed: { groups: [{ values: [2, 550] }] } },
  })
  expect(await ask(QUESTION, {})).toEqual(tried)
})

it('reports errors of a question in the text that a model gets', async () => {
  const filters = [{ column: 1, operator: 'lt' as const, value: 'a' }]
  expect(await ask({ filters })).toMatchObject({
    isRefused: true,
    output: 'Column 1 is a text: lt does not apply.',
    rows: null,
  })
  const other = { table: 'of-nobody' }
  expect(await ask(other)).toMatchObject({ isRefused: true, output: 'There is no such table.', tableName: null })
})

it('lets the model of the agent choose the arguments, and shows each of its calls, for one message of the allowance', async () => {
  let seen: GenerateRequest | undefined
  model = async (request) => {
    seen = request
    const [tool] = request.tools
    await tool?.run({ table: table._id, sort: { column: 2, direction: 'desc' }, limit: 1 }, request.signal)
    await tool?.run({ table: table._id, ...QUESTION }, request.signal)
    return 'Два товара.'
  }
  const before = await messagesSpent()
  const tried = await askModel('Сколько товаров дешевле 1000?')
  expect(tried.text).toBe('Два товара.')
  expect(tried.calls.map(({ rows }) => rows?.rows.map(({ number }) => number))).toEqual([[3], [2, 4]])
  expect(seen?.messages).toEqual([{ role: 'user', text: 'Сколько товаров дешевле 1000?' }])
  expect(seen?.data?.[0]?.text).toContain(table._id)
  expect(seen?.moment).toMatch(/It is .+\(.+\)\./)
  expect(await messagesSpent()).toBe(before + 1)
})

it('returns no choice where the model cannot choose, and calls no model where there is no table', async () => {
  await person.http.mutation(api.knowledge.tables.remove, { tableId: table._id })
  model = () => {
    throw new Error('A model was asked about no table.')
  }
  expect(await askModel('Сколько?')).toEqual({ calls: [], text: '' })
  agentId = (await person.http.mutation(api.agents.create, { name: 'Без модели', model: EXTRACTIVE_MODEL }))._id
  await expect(askModel('Сколько?')).rejects.toMatchObject({ data: { code: 'model_cannot_write' } })
})

it('shows nothing to strangers', async () => {
  const question = { table: table._id }
  for (const asker of [{ knowledgeSpaceId }, { knowledgeSpaceId, agentId }]) {
    await expect(stranger.http.action(tables.list, asker)).rejects.toMatchObject({ data: { code: 'not_found' } })
    await expect(stranger.http.action(tables.ask, { ...asker, question })).rejects.toMatchObject({
      data: { code: 'not_found' },
    })
  }
  await expect(stranger.http.action(tables.askModel, { agentId, query: 'a' })).rejects.toMatchObject({
    data: { code: 'agent_unavailable' },
  })
})

const messagesSpent = () =>
  app.database.organization(person.organization._id, async (db) => {
    const rows = await db.selectFrom('usage_events').select('messages').execute()
    return rows.reduce((sum, { messages }) => sum + messages, 0)
  })

async function uploaded(name: string, body: string): Promise<DataTable> {
  const query = new URLSearchParams({ knowledgeSpaceId, name })
  const headers = { authorization: `Bearer ${await person.token()}` }
  const answer = await fetch(`${app.url}/api/files/tables?${query}`, { method: 'POST', body, headers })
  const { _id: tableId } = (await answer.json()) as DataTable
  await app.settle()
  return person.http.query(api.knowledge.tables.get, { tableId })
}
