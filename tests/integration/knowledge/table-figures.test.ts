// Figures of tables on their way to a customer: a made-up count does not go out, one of another row is marked, and the built-in model
// names the row it speaks of.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ASKING_SENTENCES } from '#server/domain/messaging/turns/notice-text.ts'
import type { GenerateRequest } from '#server/integrations/llm/llm.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Id } from '#shared/ids.ts'
import type { Message } from '#shared/messaging/conversations.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const PRICES = 'Товар;Цена\nКресло офисное;7 500\nДиван угловой;12 900\nСтол дубовый;9 000\n'

let app: TestApp
let person: Person
let builtIn: { app: TestApp; person: Person }
let model: (request: GenerateRequest) => string | Promise<string> = echo

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm((request) => model(request)) } })
  person = await app.signUp()
  const other = await startApp()
  builtIn = { app: other, person: await other.signUp() }
})
afterAll(() => Promise.all([app.close(), builtIn.app.close()]))

async function shopOf(of: { app: TestApp; person: Person }, agent: object): Promise<Id<'agents'>> {
  const { http } = of.person
  const { _id: knowledgeSpaceId } = await http.mutation(api.knowledge.spaces.create, { name: 'Магазин' })
  const { _id: agentId } = await http.mutation(api.agents.create, { name: 'Продавец', ...agent })
  await http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  const query = new URLSearchParams({ knowledgeSpaceId, name: 'Прайс.csv' })
  const headers = { authorization: `Bearer ${await of.person.token()}` }
  await fetch(`${of.app.url}/api/files/tables?${query}`, { method: 'POST', body: PRICES, headers })
  await of.app.settle()
  return agentId
}

async function answerTo(of: { person: Person }, agentId: Id<'agents'>, text: string): Promise<Message> {
  const answered = Promise.withResolvers<Message>()
  const stop = of.person.live().onUpdate(api.testChat.messages, { agentId }, (messages) => {
    const last = messages.at(-1)
    if (last && messages.length % 2 === 0 && last.status === 'complete') answered.resolve(last)
  })
  await of.person.http.mutation(api.testChat.send, { agentId, text })
  const message = await answered.promise
  stop()
  return message
}

/** Lists all rows of the table, and says a text. */
const afterLooking = (text: string) => async (request: GenerateRequest) => {
  const tool = request.tools.find(({ name }) => name === 'query_table')
  const table = request.tables?.known[0]?._id
  await tool?.run({ table }, request.signal)
  return text
}

it('a made-up count does not go out: the agent asks back, as it is set by default', async () => {
  const agentId = await shopOf({ app, person }, {})
  model = () => 'У нас в ассортименте 57 товаров.'
  expect((await answerTo({ person }, agentId, 'Сколько у вас товаров?')).text).toBe(ASKING_SENTENCES.ru)
})

it('a right count goes out', async () => {
  const agentId = await shopOf({ app, person }, {})
  model = afterLooking('У нас 3 товара.')
  const { text, unfounded } = await answerTo({ person }, agentId, 'Сколько у вас товаров?')
  expect([text, unfounded]).toEqual(['У нас 3 товара.', []])
})

it('a figure of another row is marked', async () => {
  const agentId = await shopOf({ app, person }, {})
  const answer = 'Кресло офисное стоит 12 900 ₽.'
  model = afterLooking(answer)
  const { text, unfounded } = await answerTo({ person }, agentId, 'Сколько стоит офисное кресло?')
  expect([text, unfounded]).toEqual([answer, [answer]])
})

it('the built-in model answers from a table of which no column is imported, and names the row', async () => {
  const agentId = await shopOf(builtIn, { model: EXTRACTIVE_MODEL })
  const { text, sources } = await answerTo(builtIn, agentId, 'Сколько стоит офисное кресло?')
  expect(text).toBe('«Кресло офисное» – Цена: 7 500\nИсточник: Прайс.csv, строка 1')
  expect(sources).toMatchObject([{ source: 'Прайс.csv' }])
})
