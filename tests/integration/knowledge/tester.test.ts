// The tester: skipped stages, suggested questions, the log of agents' lookups, and the gaps among them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetQueries } from '#server/domain/knowledge/review/queries.job.ts'
import type { Id } from '#shared/ids.ts'
import { SEARCH_STAGES, type SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { QUERY_LOG_DAYS } from '#shared/limits.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { echo, scriptedLlm } from '#tests/pipeline-world.ts'

const DAY_MS = 86_400_000
const paginationOpts = { numItems: 20, cursor: null }
let app: TestApp
let person: Person
let agentId: Id<'agents'>
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp({ overrides: { llm: scriptedLlm(echo) } })
  person = await app.signUp()
  agentId = (await person.http.mutation(api.agents.create, { name: 'Helper' }))._id
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Shop' }))._id
  await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId })
  await write('Returns', 'Returns are accepted within 30 days.')
  await write('Can I pay by card?', 'Payment by card is accepted.')
})
afterAll(() => app.close())

const write = (name: string, content: string) =>
  person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name, content })
const gaps = () => person.http.query(api.knowledge.queries.gaps, { knowledgeSpaceId })
const log = async () => (await person.http.query(api.knowledge.queries.list, { knowledgeSpaceId, paginationOpts })).page

async function ask(text: string): Promise<void> {
  await person.http.mutation(api.testChat.send, { agentId, text })
  await app.settle()
}

describe('the tester', () => {
  it('suggests questions about the contents of the space', async () => {
    const samples = await person.http.query(api.knowledge.search.samples, { knowledgeSpaceId })
    expect(samples).toEqual(['Can I pay by card?', 'Returns'])
  })

  it('shows tokens and the score of each stage, and skips stages on request', async () => {
    const query = 'return period'
    const whole = await person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query })
    expect(whole.results[0]).toMatchObject({
      tokens: expect.any(Number),
      scores: { words: 1, grams: 1, meaning: null },
    })
    const without = ['words' as const, 'grams' as const, 'meaning' as const]
    const none = await person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query, without })
    expect(none.results).toEqual([])
  })
})

describe('every combination of stages', () => {
  it('returns results, and finds nothing that all stages together do not', async () => {
    const query = 'returns accepted by card'
    const explain = async (without: SearchStage[]) =>
      (await person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query, without })).results
    const whole = new Set((await explain([])).map((result) => result.id))
    expect(whole.size).toBe(2)
    for (let chosen = 0; chosen < 2 ** SEARCH_STAGES.length; chosen++) {
      const without = SEARCH_STAGES.filter((_, at) => chosen & (1 << at))
      const found = await explain(without)
      const isBlind = without.includes('words') && without.includes('grams')
      expect(found.length > 0, without.join()).toBe(!isBlind)
      expect(
        found.every((result) => whole.has(result.id)),
        without.join(),
      ).toBe(true)
    }
  })
})

describe('the test set', () => {
  const cases = () => person.http.query(api.knowledge.cases.list, { knowledgeSpaceId })
  const score = (without: SearchStage[] = []) =>
    person.http.action(api.knowledge.cases.score, { knowledgeSpaceId, without })
  const find = async (query: string) =>
    (await person.http.action(api.knowledge.search.explain, { knowledgeSpaceId, query })).results

  async function mark(question: string, source: string, isExpected = true): Promise<void> {
    const found = (await find(source)).find((result) => result.metadata.source === source)
    const chunkId = found?.id as Id<'chunks'>
    await person.http.mutation(api.knowledge.cases.mark, { knowledgeSpaceId, question, chunkId, isExpected })
  }

  it('adds passages that a user marks as an answer, each once, and removes them', async () => {
    await mark('How long can I return it?', 'Returns')
    await mark('How long can I return it?', 'Returns')
    expect(await cases()).toMatchObject([{ question: 'How long can I return it?', expected: [{ source: 'Returns' }] }])
    await mark('How long can I return it?', 'Returns', false)
    expect(await cases()).toEqual([])
  })

  it('is scored through the search that replies use, and without a stage', async () => {
    await mark('returns accepted', 'Returns')
    await mark('Can I pay by card?', 'Can I pay by card?')
    await mark('zebra', 'Returns')
    expect(await score()).toMatchObject({ recallAt1: 2 / 3, recallAt5: 2 / 3, recallAt10: 2 / 3, mrr: 2 / 3 })
    expect(await score(['words', 'grams'])).toMatchObject({ recallAt10: 0, mrr: 0 })
  })

  it('recognizes a note after it was edited', async () => {
    const { page } = await person.http.query(api.knowledge.fragments.list, { knowledgeSpaceId, paginationOpts })
    const fragmentId = page.find((note) => note.name === 'Returns')?._id as Id<'fragments'>
    const patch = { content: 'We accept returns for 30 days.' }
    await person.http.mutation(api.knowledge.fragments.update, { fragmentId, patch })
    expect(await score()).toMatchObject({ recallAt1: 2 / 3 })
  })

  it('loses a question when a user removes it', async () => {
    const [newest] = await cases()
    await person.http.mutation(api.knowledge.cases.remove, { caseId: newest?._id as Id<'knowledgeCases'> })
    expect(await cases()).toHaveLength(2)
  })
})

describe('the log', () => {
  it('keeps questions with their results, the newest first', async () => {
    await ask('How many days for returns?')
    await ask('Is there a swimming pool nearby?')
    const [newest, first] = await log()
    expect(newest).toMatchObject({
      query: 'Is there a swimming pool nearby?',
      isWeak: true,
      channel: 'test',
      position: 0,
    })
    expect(first).toMatchObject({ query: 'How many days for returns?', isWeak: false, found: [{ source: 'Returns' }] })
  })

  it('counts equal questions together, and lists other wordings', async () => {
    await ask('swimming pools nearby')
    expect(await gaps()).toMatchObject([
      { count: 2, conversations: 1, query: 'swimming pools nearby', wordings: { length: 2 } },
    ])
  })

  it('returns the requested number of gaps, the most frequent first', async () => {
    await ask('Who composed the opera Aida?')
    expect(await gaps()).toHaveLength(2)
    const [first, ...others] = await person.http.query(api.knowledge.queries.gaps, { knowledgeSpaceId, limit: 1 })
    expect([first?.query, others]).toEqual(['swimming pools nearby', []])
    const opera = (await gaps())[1]?.gist ?? ''
    await person.http.mutation(api.knowledge.queries.settle, { knowledgeSpaceId, gist: opera })
  })

  it('lets a user dismiss a gap until it is asked again', async () => {
    const [gap] = await gaps()
    await person.http.mutation(api.knowledge.queries.settle, { knowledgeSpaceId, gist: gap?.gist ?? '' })
    expect(await gaps()).toEqual([])
    await ask('Is a swimming pool nearby?')
    expect(await gaps()).toMatchObject([{ count: 1 }])
  })

  it('covers one space', async () => {
    const other = await person.http.mutation(api.knowledge.spaces.create, { name: 'Other' })
    expect(await person.http.query(api.knowledge.queries.gaps, { knowledgeSpaceId: other._id })).toEqual([])
    expect(await person.http.query(api.knowledge.queries.gaps, {})).toHaveLength(1)
  })

  it('deletes old entries', async () => {
    const count = (await log()).length
    await forgetQueries(app.database, new Date(Date.now() + (QUERY_LOG_DAYS - 1) * DAY_MS))
    expect(await log()).toHaveLength(count)
    await forgetQueries(app.database, new Date(Date.now() + (QUERY_LOG_DAYS + 1) * DAY_MS))
    expect(await log()).toEqual([])
  })
})
