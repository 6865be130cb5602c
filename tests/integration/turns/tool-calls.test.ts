// What a model may do with tools in one turn, through the whole server: how many calls are carried out, and what the record has of the others.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Read, searchFully } from '#server/domain/knowledge/spaces/search.full.ts'
import type { Id } from '#shared/ids.ts'
import { SEARCHES_AT_ONCE, TOOL_CALLS_PER_STEP, TOOL_CALLS_PER_TURN, WEB_SEARCHES_PER_TURN } from '#shared/limits.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, type FakeReply, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeWebSearch, startFakeWebSearch, webSearchConfig } from '#tests/fakes/web-search.ts'

let web: FakeWebSearch
let openai: FakeOpenAi
let app: TestApp
let person: Person
let agentId: Id<'agents'>

beforeAll(async () => {
  web = await startFakeWebSearch('tavily', [{ url: 'http://post.example/', title: 'Почта', text: 'Тариф экспресс.' }])
  openai = await startFakeOpenAi()
  app = await startApp({ openai, config: { webSearch: webSearchConfig(web, 'tavily') } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await Promise.all([web.close(), openai.close()])
})
beforeEach(async () => {
  const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Доставка' })
  const note = { knowledgeSpaceId, name: 'Доставка', content: 'Доставка занимает два дня.' }
  await person.http.mutation(api.knowledge.fragments.create, note)
  await person.http.mutation(api.knowledge.webSearch.update, { knowledgeSpaceId, patch: { isEnabled: true } })
  agentId = (await person.http.mutation(api.agents.create, { name: 'Агент', model: 'openai/gpt-5-mini' }))._id
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  await app.settle()
})

const searches = (count: number, name = 'search_knowledge') => ({
  toolCalls: Array.from({ length: count }, (_, index) => ({ name, arguments: JSON.stringify({ query: `${index}` }) })),
})

/** One turn of the test chat in which the model says these things one after another, the last one from then on. */
async function turn(...script: FakeReply[]) {
  const first = openai.requests.length
  openai.reply((_request, index) => script[Math.min(index - first, script.length - 1)] ?? {})
  await person.http.mutation(api.testChat.send, { agentId, text: 'Сколько идёт посылка?' })
  await app.settle()
  const message = (await person.http.query(api.testChat.messages, { agentId })).at(-1)
  const trace = await person.http.query(api.testChat.why, { turnId: message?.turnId as Id<'turns'> })
  if (!trace) throw new Error('the turn has left no record')
  return { message, trace, asked: openai.requests.length - first }
}

/** How many calls of the record there are of each fate. */
function fates({ tools }: TurnTrace): Record<string, number> {
  return tools.reduce<Record<string, number>>((counts, { refusal, hasFailed }) => {
    const fate = refusal ?? (hasFailed ? 'failed' : 'made')
    return { ...counts, [fate]: (counts[fate] ?? 0) + 1 }
  }, {})
}

describe('a model that calls tools', () => {
  it('without measure has a few calls of a step carried out; the record knows of the others and why', async () => {
    const { message, trace, asked } = await turn(searches(500), { text: 'Два дня.' })
    expect(message?.text).toBe('Два дня.')
    expect(asked).toBe(2)
    expect(trace.searches).toHaveLength(1 + TOOL_CALLS_PER_STEP)
    expect(fates(trace)).toEqual({ made: TOOL_CALLS_PER_STEP, step_limit: 92 })
    expect(trace.toolsLeftOut).toBe(400)
    expect(JSON.stringify(openai.requests.at(-1)).length).toBeLessThan(50_000)
  })

  it('step after step is asked for its answer when the calls of the turn are used up', async () => {
    const { message, trace, asked } = await turn(...Array.from({ length: 4 }, () => searches(8)), { text: 'Два дня.' })
    expect(message?.text).toBe('Два дня.')
    expect(asked).toBe(5)
    expect(fates(trace)).toEqual({ made: TOOL_CALLS_PER_TURN, turn_limit: 8 })
  })

  it('without end is not tried again', async () => {
    const { message, trace, asked } = await turn(searches(1))
    expect(message).toMatchObject({ status: 'failed', reason: 'tool_loop' })
    expect(asked).toBe(6)
    expect(trace.attempts).toMatchObject([{ failure: 'tool_loop' }])
    expect(fates(trace)).toEqual({ made: 4, not_offered: 2 })
  })

  it('that it does not have, or with broken arguments, leaves a trace of it', async () => {
    const { trace } = await turn(
      { toolCalls: [{ name: 'launch_rocket', arguments: '{"to":"moon"}' }] },
      { toolCalls: [{ name: 'search_knowledge', arguments: '{"query":' }] },
      { toolCalls: [{ name: 'search_knowledge', arguments: '{"question":"x"}' }] },
      { text: 'Два дня.' },
    )
    expect(trace.tools).toMatchObject([
      { name: 'launch_rocket', arguments: '{"to":"moon"}', hasFailed: true, refusal: 'unknown_tool' },
      { name: 'search_knowledge', arguments: '{"query":', hasFailed: true, refusal: 'bad_arguments' },
      { name: 'search_knowledge', arguments: '{"question":"x"}', hasFailed: true, refusal: 'bad_arguments' },
    ])
  })

  it('searches the web a few times for one answer', async () => {
    const before = web.requests.length
    const { trace } = await turn(searches(8, 'search_web'), searches(300, 'search_web'), { text: 'Два дня.' })
    expect(web.requests.length - before).toBe(WEB_SEARCHES_PER_TURN)
    expect(fates(trace)).toMatchObject({ made: WEB_SEARCHES_PER_TURN, web_limit: 11 })
  })

  it('for one customer too often within some minutes is stopped, and answers from what it has', async () => {
    for (let answer = 0; answer < 5; answer++) await turn(searches(8), searches(8), searches(8), { text: 'Два дня.' })
    const { message, trace, asked } = await turn(searches(1), { text: 'Больше не ищу.' })
    expect(message?.text).toBe('Больше не ищу.')
    expect(asked).toBe(2)
    expect(fates(trace)).toEqual({ customer_limit: 1 })
    expect(openai.requests.at(-1)).toMatchObject({ tool_choice: 'none' })
  })
})

describe('searches of one organization', () => {
  it('are made a few at a time, however many turns want one', async () => {
    const organizationId = person.organization._id
    const { _id: knowledgeSpaceId } = await person.http.mutation(api.knowledge.spaces.create, { name: 'Много' })
    const { retrieval } = app.services
    let open = 0
    let most = 0
    const counted: typeof retrieval = Object.create(retrieval, {
      search: {
        async value(...given: Parameters<typeof retrieval.search>) {
          open += 1
          most = Math.max(most, open)
          await new Promise((resolve) => setTimeout(resolve, 20))
          open -= 1
          return retrieval.search(...given)
        },
      },
    })
    const read: Read = (run) =>
      app.database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true })
    const request = { organizationId, spaceIds: [knowledgeSpaceId], query: 'посылка', limit: 3 }
    const parts = { ...app.services, retrieval: counted }
    await Promise.all(Array.from({ length: 12 }, () => searchFully(read, parts, request)))
    expect(most).toBe(SEARCHES_AT_ONCE)
  })
})
