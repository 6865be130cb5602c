// Search stages that call a model: reranking results, and rewriting the question. And what an agent does when nothing is found.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { askQuestions } from '#server/domain/knowledge/review/questions.job.ts'
import { tidyIndex } from '#server/domain/knowledge/search/tidy-index.ts'
import { createReranker } from '#server/integrations/llm/rerank.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import type { Id } from '#shared/ids.ts'
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'
import { type FakeReranker, rerankConfig, startFakeReranker } from '#tests/fakes/rerank.ts'

let app: TestApp
let openai: FakeOpenAi
let fake: FakeReranker
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
/** The model's answers to the rewriting task, and to the task of generating questions; null makes it fail. */
let rewritten: string | null
let questions: string | null

/** A text for which the model has no key. */
const REFUSED = 'This passage is refused.'

beforeAll(async () => {
  fake = await startFakeReranker()
  openai = await startFakeOpenAi({
    reply: ({ messages }) => {
      const task = JSON.stringify(messages[0])
      if (JSON.stringify(messages).includes(REFUSED)) return { failure: 'status_401' }
      const isTask = task.includes('prepare the search')
      const text = task.includes('write three questions') ? questions : rewritten
      if (isTask && text === null) return { failure: 'status_401' }
      return { text: isTask ? (text ?? '') : 'An answer.' }
    },
  })
  app = await startApp({ openai, config: { rerank: rerankConfig(fake) } })
  person = await app.signUp()
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Help' }))._id
  for (const content of ['Delivery to the city takes a day.', 'Delivery to the village takes three days.']) {
    await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Note', content })
  }
})
afterAll(async () => {
  await app.close()
  await openai.close()
  await fake.close()
})
beforeEach(() => {
  fake.fail(null)
  rewritten = ''
  questions = ''
})

const explain = (query: string, without: ('rerank' | 'meaning' | 'duplicates')[] = []) =>
  person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query, without })
const spent = () =>
  app.database.organization(person.organization._id, (db) =>
    db
      .selectFrom('usage_events')
      .where('category', '=', 'helper_generation')
      .selectAll()
      .orderBy('occurred_at')
      .execute(),
  )

describe('a reranking model', () => {
  it('ranks the best answer first, and is reported with its score and its time', async () => {
    fake.favour('village')
    const { results, stages } = await explain('How long is delivery to the city?')
    expect(results.map(({ content, scores }) => [content.includes('village'), scores.relevance])).toEqual([
      [true, 0.9],
      [false, 0.1],
    ])
    expect(stages.map(({ stage }) => stage)).toEqual(['rerank', 'index', 'words', 'select'])
    expect((await spent()).at(-1)).toMatchObject({ provider: 'rerank', model: 'rerank-small', cost_micro_usd: 2000 })
  })

  it('is not called where the tester leaves it out', async () => {
    const before = fake.requests.length
    const { results } = await explain('How long is delivery to the city?', ['rerank'])
    expect(results[0]).toMatchObject({ content: 'Delivery to the city takes a day.', scores: { relevance: null } })
    expect(fake.requests.length).toBe(before)
  })

  it.each(['status_500', 'one_twice'] as const)('is skipped when it fails: %s', async (way) => {
    fake.fail(way)
    fake.favour('village')
    const { results, stages } = await explain('How long is delivery to the city?')
    expect(results[0]).toMatchObject({ content: 'Delivery to the city takes a day.', scores: { relevance: null } })
    expect(stages[0]).toMatchObject({ stage: 'rerank', hasFailed: true })
  })

  it.each(['voyage', 'tei'] as const)('also works over the protocol of %s', async (protocol) => {
    fake.favour('village')
    const reranker = createReranker(rerankConfig(fake, protocol))
    const { relevance } = await reranker.rerank('where', ['city', 'village'], new AbortController().signal)
    expect(relevance).toEqual([0.1, 0.9])
  })
})

async function addAgent(patch: object) {
  const agent = await person.http.mutation(api.agents.create, { name: 'Helper', model: 'openai/gpt-5-mini' })
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: agent._id })
  await person.http.mutation(api.agents.update, { id: agent._id, patch })
  return agent._id
}
/** The chat's messages after a question, system lines included. */
async function ask(agentId: Id<'agents'>, text: string): Promise<string> {
  await person.http.mutation(api.testChat.send, { agentId, text })
  await app.settle()
  const messages = await person.http.query(api.testChat.messages, { agentId })
  return messages
    .slice(messages.findLastIndex((message) => message.text === text) + 1)
    .map((message) => message.text)
    .join(' ')
    .trim()
}
/** The model's last request. */
const lastPrompt = () => JSON.stringify(openai.requests.at(-1))

describe('rewriting questions', () => {
  const question = 'And when does the courier come?'

  it('finds what the customer has not named, and is charged', async () => {
    const agentId = await addAgent({ evidence: { whenWeak: 'answer', rewritesQuestions: true } })
    rewritten = '1. How long does delivery to the village take?\n2. Delivery days'
    await ask(agentId, question)
    expect(lastPrompt()).toContain('Delivery to the village takes three days.')
    expect((await spent()).some(({ agent_id, provider }) => agent_id === agentId && provider === 'openai')).toBe(true)
  })

  it('is skipped when the agent has switched it off, and when the model fails', async () => {
    const before = openai.requests.length
    await ask(await addAgent({}), question)
    expect(openai.requests.length).toBe(before + 1)
    rewritten = null
    const agentId = await addAgent({ evidence: { whenWeak: 'answer', rewritesQuestions: true } })
    expect(await ask(agentId, question)).toBe('An answer.')
  })
})

describe('the tester as an agent', () => {
  const tryAs = (agentId: Id<'agents'>, query: string, without: SearchStage[] = []) =>
    person.http.action(api.agents.search.explain, { agentId, query, without })

  it('shows exactly the passages that the model is given, in their order, from all spaces of the agent', async () => {
    const agentId = await addAgent({ evidence: { whenWeak: 'answer', rewritesQuestions: true } })
    const other = await person.http.mutation(api.knowledge.spaces.create, { name: 'Prices' })
    const names = { knowledgeSpaceId: other._id, agentId }
    await person.http.mutation(api.knowledge.spaces.linkAgent, names)
    for (const content of ['Delivery costs 5 dollars.', 'A courier calls before delivery.']) {
      await person.http.mutation(api.knowledge.fragments.create, {
        knowledgeSpaceId: other._id,
        name: 'Price',
        content,
      })
    }
    rewritten = 'How much is delivery?'
    const query = 'And what does the courier cost?'
    const { results, wordings, stages } = await tryAs(agentId, query)
    expect([wordings, stages[0]?.stage]).toEqual([['How much is delivery?'], 'rewrite'])
    await ask(agentId, query)
    const prompt = lastPrompt()
    const places = results.map(({ content }) => prompt.indexOf(content))
    expect(places).toHaveLength(4)
    expect(places).toEqual([...places].sort((a, b) => a - b))
    expect(places[0]).toBeGreaterThan(0)
    expect((await spent()).filter(({ agent_id }) => agent_id === agentId).length).toBeGreaterThan(1)
  })

  it('leaves out what the agent may not use, and does not rewrite when that is switched off', async () => {
    const agentId = await addAgent({ evidence: { whenWeak: 'answer', rewritesQuestions: true } })
    rewritten = 'How long is delivery?'
    expect((await tryAs(agentId, 'delivery', ['rewrite'])).wordings).toEqual([])
    const patch = { enabledSources: ['documents' as const] }
    await person.http.mutation(api.knowledge.spaces.updateLink, { knowledgeSpaceId, agentId, patch })
    expect(await tryAs(agentId, 'delivery')).toMatchObject({ results: [], isWeak: true })
  })

  it('shows nothing for an agent without knowledge', async () => {
    const { _id } = await person.http.mutation(api.agents.create, { name: 'New', model: 'openai/gpt-5-mini' })
    expect(await tryAs(_id, 'delivery')).toMatchObject({ results: [], isWeak: true, wordings: [] })
  })
})

describe('generated questions for passages', () => {
  const progress = () => person.http.query(api.knowledge.questions.progress, { knowledgeSpaceId })
  const set = (isOn: boolean) => person.http.mutation(api.knowledge.questions.set, { knowledgeSpaceId, isOn })
  const ask = () => askQuestions(app.services, new AbortController().signal)

  it('are generated when the space has switched it on, find the passage, are charged, and are not shown', async () => {
    await addAgent({})
    questions = '1. Whither goes my parcel?\n2. Parcel post?'
    expect((await explain('parcel')).results).toEqual([])
    await ask()
    expect(await progress()).toEqual({ isOn: false, hasAuthor: false, done: 0, total: 0 })
    const spentBefore = (await spent()).length
    await set(true)
    await app.settle()
    expect(await progress()).toEqual({ isOn: true, hasAuthor: true, done: 2, total: 2 })
    const { results } = await explain('parcel', ['rerank'])
    expect(results.map(({ content }) => content).sort()).toEqual([
      'Delivery to the city takes a day.',
      'Delivery to the village takes three days.',
    ])
    const calls = (await spent()).slice(spentBefore).filter(({ provider }) => provider === 'openai')
    expect(calls.map(({ messages, agent_id }) => [messages, agent_id !== null])).toEqual([
      [0, true],
      [0, true],
    ])
    const before = openai.requests.length
    await ask()
    expect(openai.requests.length).toBe(before)
  })

  it('survive a rebuild of the index, and are regenerated for a passage that changes', async () => {
    await tidyIndex(app.services, { organizationId: person.organization._id, knowledgeSpaceId })
    expect((await explain('parcel', ['rerank', 'duplicates'])).results).toHaveLength(2)
    const paginationOpts = { numItems: 1, cursor: null }
    const { page } = await person.http.query(api.knowledge.fragments.list, { knowledgeSpaceId, paginationOpts })
    const [note] = page
    if (!note) throw new Error('there is no note')
    const patch = { content: 'Delivery takes two days.' }
    await person.http.mutation(api.knowledge.fragments.update, { fragmentId: note._id, patch })
    expect(await progress()).toMatchObject({ done: 1, total: 2 })
    questions = null
    await expect(ask()).rejects.toThrow('invalid_key')
    questions = 'Whence comes the courier?'
    const ceiling = (limit: number | null) =>
      app.database.organization(person.organization._id, (db) =>
        sql`update agent_versions set settings = jsonb_set(settings, '{spending}', ${JSON.stringify({ monthlyLimitUsd: limit })}::jsonb)`.execute(
          db,
        ),
      )
    await ceiling(0)
    const before = openai.requests.length
    await ask()
    expect([openai.requests.length - before, (await progress()).done]).toEqual([0, 1])
    await ceiling(null)
    await ask()
    expect((await explain('whence', ['rerank'])).results[0]?.content).toBe('Delivery takes two days.')
    await set(false)
  })

  it('are generated for other organizations while one cannot', async () => {
    const ofNote = new Map<string, { progress: () => Promise<{ done: number }>; stop: () => Promise<unknown> }>()
    for (const content of [REFUSED, 'Parking is behind the house.']) {
      const other = await app.signUp()
      const { _id } = await other.http.mutation(api.knowledge.spaces.create, { name: 'Help' })
      await other.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId: _id, name: 'Note', content })
      const agent = await other.http.mutation(api.agents.create, { name: 'Helper', model: 'openai/gpt-5-mini' })
      await other.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId: _id, agentId: agent._id })
      const turn = (isOn: boolean) => other.http.mutation(api.knowledge.questions.set, { knowledgeSpaceId: _id, isOn })
      await turn(true)
      ofNote.set(content, {
        progress: () => other.http.query(api.knowledge.questions.progress, { knowledgeSpaceId: _id }),
        stop: () => turn(false),
      })
    }
    await ask().catch(() => undefined)
    expect(await ofNote.get('Parking is behind the house.')?.progress()).toMatchObject({ done: 1 })
    expect(await ofNote.get(REFUSED)?.progress()).toMatchObject({ done: 0 })
    for (const { stop } of ofNote.values()) await stop()
  })
})

describe('an agent whose knowledge lacks the answer', () => {
  const question = 'Which metals conduct electricity?'
  const evidence = (whenWeak: 'answer' | 'clarify' | 'handoff') => ({
    evidence: { whenWeak, rewritesQuestions: false },
  })

  it('is instructed to ask, to call a person, or neither', async () => {
    await ask(await addAgent(evidence('clarify')), question)
    expect(lastPrompt()).toContain('ask one short question to find out what is meant. If you have asked already')
    await ask(await addAgent({ ...evidence('handoff'), handoff: { ...HANDOFF, byAgent: false } }), question)
    expect(lastPrompt()).toContain('call hand_off with the reason missing_knowledge')
    expect(lastPrompt()).toContain('"name":"hand_off"')
    await ask(await addAgent({ handoff: { ...HANDOFF, byAgent: false } }), question)
    expect(lastPrompt()).not.toContain('hand_off')
  })

  it('does so without any model, and answers a greeting all the same', async () => {
    const model = EXTRACTIVE_MODEL
    expect(await ask(await addAgent({ model, ...evidence('clarify') }), question)).toContain(
      'What exactly would you like',
    )
    const agentId = await addAgent({ model, ...evidence('handoff') })
    expect(await ask(agentId, 'Hello!')).not.toContain('colleague')
    expect(await ask(agentId, question)).toContain('passing it on to a colleague')
  })
})

const HANDOFF = {
  customer: { stop: [], resume: [] },
  operator: { stop: [], resume: [] },
  text: '',
  autoResumeMs: null,
}
