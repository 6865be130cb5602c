// Semantic search: vectors are computed in the background, serve the agent, and are never required.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { embedChunks } from '#server/domain/knowledge/documents/embeddings/embeddings.job.ts'
import { acceptModel, listServingModels } from '#server/domain/knowledge/search/vectors/space-models.store.ts'
import { type Read, searchFully } from '#server/domain/knowledge/spaces/search.full.ts'
import { createEmbeddings, type Embeddings } from '#server/integrations/llm/embeddings.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { embeddingsConfig, type FakeEmbeddings, startFakeEmbeddings } from '#tests/fakes/embeddings.ts'

let app: TestApp
let fake: FakeEmbeddings
let person: Person
let knowledgeSpaceId: Id<'knowledgeSpaces'>
const signal = new AbortController().signal
const small = () => createEmbeddings(embeddingsConfig(fake))
const large = () => createEmbeddings(embeddingsConfig(fake, 'topics-large'))

beforeAll(async () => {
  fake = await startFakeEmbeddings()
  app = await startApp({ config: { embeddings: embeddingsConfig(fake) } })
  person = await app.signUp()
})
afterAll(async () => {
  await app.close()
  await fake.close()
})
beforeEach(async () => {
  fake.fail(null)
  knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Справка' }))._id
})

const addNote = (content: string) =>
  person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Заметка', content })
const embed = (embeddings = small()) => embedChunks({ database: app.database, embeddings }, signal)
const inOrganization: Read = (run) => {
  const organizationId = person.organization._id
  return app.database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true })
}
async function find(query: string) {
  const request = { organizationId: person.organization._id, spaceIds: [knowledgeSpaceId], query, limit: 3 }
  return (await searchFully(inOrganization, { ...app.services, embeddings: small() }, request)).response
}

describe('search by meaning', () => {
  it('finds the answer to a paraphrased question, and does not rate it weak', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await addNote('Принимаем карты и наличные.')
    expect((await find('Сколько это везти?')).isWeak).toBe(true)
    await embed()
    const { results, isWeak } = await find('Сколько это везти?')
    expect(results[0]).toMatchObject({
      content: 'Курьер приезжает на следующий день.',
      scores: { meaning: 1, words: 0 },
    })
    expect(isWeak).toBe(false)
  })

  it('is weak below the threshold of its space, judged only by what was found there', async () => {
    const question = 'Когда курьер и гарантия?' // two topics: half as similar to a text about one
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    const found = await find(question)
    expect(found.evidence).toBeGreaterThan(0.05)
    expect(found.nearest).toBeCloseTo(0.7, 1)
    const enough = (words: number, meaning: number) =>
      person.http.mutation(api.knowledge.spaces.update, { knowledgeSpaceId, patch: { enough: { words, meaning } } })
    expect((await enough(1, 1)).enough).toEqual({ words: 1, meaning: 1 })
    expect((await find(question)).isWeak).toBe(true)
    await enough(found.evidence - 0.05, 1)
    expect((await find(question)).isWeak).toBe(false)
    await enough(1, 0.6)
    expect((await find(question)).isWeak).toBe(false)
    await enough(0, 0)
    const other = await person.http.mutation(api.knowledge.spaces.create, { name: 'Строгое' })
    knowledgeSpaceId = other._id
    await enough(1, 1)
    await addNote('Курьер приезжает вечером.')
    expect((await find(question)).isWeak).toBe(true)
  })

  it('ranks nothing that agents may not use, no matter the amount', async () => {
    const notes = Array.from({ length: 100 }, (_, at) => ({
      name: `Доставка ${at}`,
      content: `Курьер номер ${at} везёт доставку.`,
      alsoAskedAs: [],
    }))
    await person.http.mutation(api.knowledge.fragments.importMany, { knowledgeSpaceId, notes })
    const crowded = knowledgeSpaceId
    knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Склад' }))._id
    await addNote('Посылку можно привезти самому.')
    await embed()
    const both = { organizationId: person.organization._id, spaceIds: [crowded, knowledgeSpaceId], limit: 3 }
    const search = async (query: string, disabledSources = {}) =>
      (await searchFully(inOrganization, { ...app.services, embeddings: small() }, { ...both, query, disabledSources }))
        .response
    expect((await search('Когда курьер?')).results).toHaveLength(3)
    const { results, evidence } = await search('Когда курьер?', { [crowded]: ['fragments'] })
    expect(results.map(({ content, scores }) => [content, scores.meaning])).toEqual([
      ['Посылку можно привезти самому.', 1],
    ])
    expect(evidence).toBeLessThan(0.3) // by the topic alone: hidden passages add nothing
    expect((await search('Когда курьер?')).results).toHaveLength(3)
  })

  it('finds neither deleted texts nor a note’s former text', async () => {
    const gone = await addNote('Курьер приезжает утром.')
    const changed = await addNote('Доставка вечером.')
    await embed()
    await person.http.mutation(api.knowledge.fragments.remove, { fragmentId: gone._id })
    const patch = { content: 'Принимаем карты.' }
    await person.http.mutation(api.knowledge.fragments.update, { fragmentId: changed._id, patch })
    await embed()
    expect((await find('Когда всё привезут?')).results.map((result) => result.content)).toEqual(['Принимаем карты.'])
  })

  it('falls back to keywords when the endpoint fails, and catches up later', async () => {
    await addNote('Гарантия один год.')
    for (const way of ['status_500', 'too_few'] as const) {
      fake.fail(way)
      await expect(embed()).rejects.toThrow('embeddings endpoint')
      expect((await find('гарантия')).results[0]).toMatchObject({ scores: { words: 1, meaning: null } })
    }
    fake.fail(null)
    await embed()
    expect((await find('Что делать, если сломается?')).results).toHaveLength(1)
  })

  it('recomputes all vectors when the endpoint returns another length under the same model name', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    expect((await find('Когда всё привезут?')).results[0]?.scores.meaning).toBe(1) // loaded into memory, too
    const renewed: Embeddings = {
      model: small().model,
      embed: (texts, options) => large().embed(texts, { ...options, model: large().model }),
    }
    await addNote('Принимаем карты и наличные.')
    await embed(renewed)
    const request = {
      organizationId: person.organization._id,
      spaceIds: [knowledgeSpaceId],
      query: 'Когда всё привезут?',
      limit: 3,
    }
    const { response } = await searchFully(inOrganization, { ...app.services, embeddings: renewed }, request)
    expect(response.results[0]).toMatchObject({
      content: 'Курьер приезжает на следующий день.',
      scores: { meaning: 1 },
    })
  })

  it('embeds only new texts, and counts the cost', async () => {
    await addNote('Доставка два дня.')
    await embed()
    const before = fake.requests.length
    await embed()
    expect(fake.requests.length).toBe(before)
    await addNote('Возврат за 14 дней.')
    await embed()
    expect(fake.requests.slice(before).map(({ input }) => input)).toEqual([['Заметка\nВозврат за 14 дней.']])
    const events = await app.database.organization(person.organization._id, (db) =>
      db.selectFrom('usage_events').where('model', '=', 'topics-small').selectAll().orderBy('source_id').execute(),
    )
    expect(events.length).toBeGreaterThan(1)
    for (const event of events) {
      expect(event).toMatchObject({ category: 'helper_generation', messages: 0 })
      expect(event.cost_micro_usd).toBe(event.input_tokens * 20)
    }
  })
})

describe('generated questions of a passage', () => {
  const write = (questions: string[]) =>
    app.database.organization(person.organization._id, (db) =>
      db
        .updateTable('chunks')
        .set({ generated_questions: JSON.stringify(questions) })
        .where('knowledge_space_id', '=', knowledgeSpaceId)
        .execute(),
    )
  const progress = () => person.http.query(api.knowledge.embeddings.progress, { knowledgeSpaceId })

  it('lead to it by their own meaning, each embedded and counted once', async () => {
    const note = await addNote('Заявки собираем по вечерам.')
    await write(['Когда всё привезут?', 'Есть ли ремонт?'])
    fake.fail('status_500')
    await expect(embed()).rejects.toThrow('The embeddings endpoint answered')
    expect(await progress()).toMatchObject({ embedded: 0, total: 3 })
    fake.fail(null)
    const before = fake.requests.length
    await embed()
    await embed()
    expect(fake.requests.slice(before).map(({ input }) => input)).toEqual([
      ['Заметка\nЗаявки собираем по вечерам.'],
      ['Когда всё привезут?', 'Есть ли ремонт?'],
    ])
    for (const query of ['Курьер', 'Гарантия']) {
      const { results, nearest } = await find(query)
      expect(results.map(({ content }) => content)).toEqual(['Заявки собираем по вечерам.'])
      expect(nearest).toBeCloseTo(1, 1)
    }
    await write(['Можно ли картой?'])
    await embed()
    expect((await find('Наличные')).nearest).toBeCloseTo(1, 1)
    expect((await find('Гарантия')).nearest).toBeLessThan(0.6)
    const patch = { content: 'Заявки собираем по утрам.' }
    await person.http.mutation(api.knowledge.fragments.update, { fragmentId: note._id, patch })
    await embed()
    expect((await find('Наличные')).nearest).toBeLessThan(0.6)
  })
})

describe('another embedding model', () => {
  it('takes over when every chunk has its vector; until then the former one serves', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    const serving = () => inOrganization((ctx) => listServingModels(ctx, [knowledgeSpaceId]))
    fake.fail('status_500')
    await expect(embed(large())).rejects.toThrow('The embeddings endpoint answered')
    fake.fail(null)
    expect(await serving()).toEqual(['topics-small'])
    expect((await find('Когда всё привезут?')).results).toHaveLength(1)
    await embed(large())
    expect(await serving()).toEqual(['topics-large'])
    expect((await find('Когда всё привезут?')).results).toHaveLength(1)
    expect(fake.requests.at(-1)).toEqual({ model: 'topics-large', input: ['Когда всё привезут?'] })
  })
})

describe('computing vectors', () => {
  const progress = () => person.http.query(api.knowledge.embeddings.progress, { knowledgeSpaceId })
  const cancel = () => person.http.mutation(api.knowledge.embeddings.cancel, { knowledgeSpaceId })

  it('reports its progress, can be cancelled during a request, and resumed', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    const done = { serving: 'topics-small', following: null, isCancelled: false, embedded: 0, total: 0 }
    expect(await progress()).toEqual(done)
    const { embed: make, model } = large()
    const interrupted: Embeddings = {
      model,
      async embed(texts, options) {
        const made = await make(texts, options)
        const { following, isCancelled } = await progress()
        if (following === null || isCancelled) return made // another space is processed
        expect(await progress()).toEqual({ ...done, following: model, total: 1 })
        await cancel()
        return made
      },
    }
    await embed(interrupted)
    const cancelled = { ...done, following: model, isCancelled: true, total: 1 }
    expect(await progress()).toEqual(cancelled)
    await embed(large())
    expect(await progress()).toEqual(cancelled)
    expect((await find('Когда всё привезут?')).results[0]?.scores.meaning).toBe(1)
    await person.http.mutation(api.knowledge.embeddings.resume, { knowledgeSpaceId })
    await app.settle()
    await embed(large())
    expect(await progress()).toEqual({ ...done, serving: model })
  })

  it('reports that a further model is being prepared after another was cancelled', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    fake.fail('status_500')
    await expect(embed(large())).rejects.toThrow('The embeddings endpoint answered')
    await cancel()
    const third = createEmbeddings(embeddingsConfig(fake, 'topics-third'))
    await expect(embed(third)).rejects.toThrow('The embeddings endpoint answered')
    const making = { serving: 'topics-small', following: 'topics-third', isCancelled: false, embedded: 0, total: 1 }
    expect(await progress()).toEqual(making)
    const organizationId = person.organization._id
    await app.database.organization(organizationId, (db) => acceptModel({ db, organizationId }, knowledgeSpaceId))
    expect(await progress()).toEqual(making)
    await cancel()
    expect(await progress()).toEqual({ ...making, isCancelled: true })
  })

  it('ends when the installation has no model any more', async () => {
    await addNote('Курьер приезжает на следующий день.')
    await embed()
    fake.fail('status_500')
    await expect(embed(large())).rejects.toThrow('The embeddings endpoint answered')
    expect(await progress()).toMatchObject({ following: 'topics-large' })
    await embedChunks({ database: app.database, embeddings: null }, signal)
    expect(await progress()).toMatchObject({ serving: 'topics-small', following: null, isCancelled: false })
  })

  it('skips a text that the model rejects, and embeds all others', async () => {
    for (const content of ['Доставка два дня.', `Гарантия ${'!'.repeat(2_000)}`, 'Принимаем карты.'])
      await addNote(content)
    fake.fail('too_long')
    await embed()
    expect((await find('Когда всё привезут?')).results[0]?.content).toBe('Доставка два дня.')
    expect((await find('Оплата')).results.some(({ content }) => content === 'Принимаем карты.')).toBe(true)
    expect((await find('гарантия')).results[0]?.scores.words).toBe(1)
    const before = fake.requests.length
    await embed()
    expect(fake.requests.length).toBe(before)
  })
})

describe('an agent', () => {
  it('is given the passages found by meaning', async () => {
    await addNote('Курьер приезжает на следующий день.')
    const agent = await person.http.mutation(api.agents.create, { name: 'Консультант' })
    await person.http.mutation(api.knowledge.spaces.linkAgent, { knowledgeSpaceId, agentId: agent._id })
    await embed()
    await person.http.mutation(api.testChat.send, { agentId: agent._id, text: 'Когда всё привезут?' })
    await app.settle()
    const messages = await person.http.query(api.testChat.messages, { agentId: agent._id })
    expect(messages.map((message) => message.text).join()).toContain('Курьер приезжает')
  })
})

describe('trust in a model', () => {
  const trusted = () =>
    inOrganization(({ db }) =>
      db
        .selectFrom('knowledge_spaces')
        .where('id', '=', knowledgeSpaceId)
        .select(['embedding_trust as trust', 'embedding_trust_chunks as chunks'])
        .executeTakeFirstOrThrow(),
    )
  const addNotes = (from: number, to: number) =>
    person.http.mutation(api.knowledge.fragments.importMany, {
      knowledgeSpaceId,
      notes: Array.from({ length: to - from }, (_, at) => ({
        name: `Заметка ${from + at}`,
        content: `Курьер номер ${from + at} ездит от дома ${from + at} до склада ${from + at}.`,
        alsoAskedAs: [],
      })),
    })
  /** Embeds each text by its letters. */
  const exact: Embeddings = {
    model: 'exact',
    async embed(texts) {
      const { call } = await small().embed(texts, { signal })
      return { call, vectors: texts.map(lettersOf) }
    },
  }

  it('is measured with words of the passages when the model goes live, and again when their number has doubled', async () => {
    await addNotes(0, 40)
    await embed()
    const first = await trusted()
    expect(first).toMatchObject({ chunks: 40 })
    expect(first.trust).toBeLessThan(0.3) // all notes are about one topic, and the model knows no more
    const before = fake.requests.length
    await addNotes(40, 60)
    await embed()
    expect(fake.requests.slice(before).flatMap(({ input }) => input)).toHaveLength(20)
    expect(await trusted()).toEqual(first)
    await addNotes(60, 80)
    await embed()
    expect(await trusted()).toMatchObject({ chunks: 80 })
    await embed(exact)
    const { trust, chunks } = await trusted()
    expect(chunks).toBe(80)
    expect(trust).toBeGreaterThan(0.3)
  })

  it('decides how much the model counts in a search', async () => {
    await addNotes(0, 40)
    await addNote('Самовывоз со второго этажа.')
    await embed()
    expect((await trusted()).trust).toBeLessThan(0.3)
    const best = async () => (await find('Самовывоз или курьер со второго этажа?')).results[0]
    expect(await best()).toMatchObject({ content: 'Самовывоз со второго этажа.' })
    const { score = 0 } = (await best()) ?? {}
    await app.database.organization(person.organization._id, (db) =>
      db
        .updateTable('knowledge_spaces')
        .where('id', '=', knowledgeSpaceId)
        .set({ embedding_trust: null, index_version: sql`index_version + 1` })
        .execute(),
    )
    expect((await best())?.score ?? 1).toBeLessThan(score - 0.02)
  })

  it('is unknown for few passages, and measured once the endpoint responds', async () => {
    await addNote('Доставка два дня.')
    await embed()
    expect(await trusted()).toEqual({ trust: null, chunks: 1 })
    await addNotes(0, 40)
    const failing: Embeddings = {
      model: small().model,
      embed: (texts, options) =>
        texts.some((text) => !text.startsWith('Заметка'))
          ? Promise.reject(new Error('down'))
          : small().embed(texts, options),
    }
    await expect(embed(failing)).rejects.toThrow('down')
    expect(await trusted()).toEqual({ trust: null, chunks: 1 })
    await embed()
    expect(await trusted()).toMatchObject({ chunks: 41, trust: expect.any(Number) })
  })
})

/** Count of each pair of letters. */
function lettersOf(text: string): Float32Array {
  const counts = new Float32Array(256)
  for (let at = 0; at + 1 < text.length; at++) {
    const place = (text.charCodeAt(at) * 31 + text.charCodeAt(at + 1)) % counts.length
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}
