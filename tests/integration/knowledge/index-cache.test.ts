// The search index: other servers, small caches, deletions it has not seen, and rebuilding what is lost.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { reindexChunks } from '#server/domain/knowledge/search/add-chunks.ts'
import { WORDS_VERSION } from '#server/domain/knowledge/search/analysis/terms.ts'
import { createRetrieval } from '#server/domain/knowledge/search/create-retrieval.ts'
import { hiddenIn } from '#server/domain/knowledge/search/hidden.ts'
import type { SourceLimits } from '#server/domain/knowledge/search/hidden-sources.store.ts'
import { headLength } from '#server/domain/knowledge/search/index/segment.ts'
import { renewIndexes } from '#server/domain/knowledge/search/renew-indexes.ts'
import type { Retrieval, SearchRequest } from '#server/domain/knowledge/search/retrieval.ts'
import { SEGMENTS_MAX, segmentsToMerge, tidyIndex } from '#server/domain/knowledge/search/tidy-index.ts'
import type { Db, OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
let organizationId: Id<'organizations'>
let knowledgeSpaceId: Id<'knowledgeSpaces'>

beforeAll(async () => {
  app = await startApp()
  person = await app.signUp()
  organizationId = person.organization._id
})
afterAll(() => app.close())
beforeEach(async () => {
  knowledgeSpaceId = await newSpace()
})

const newSpace = async () => (await person.http.mutation(api.knowledge.spaces.create, { name: 'Справка' }))._id
const addNote = (content: string, spaceId = knowledgeSpaceId) =>
  person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId: spaceId, name: 'Заметка', content })

/** Found texts, as one server finds them. */
async function find(query: string, retrieval: Retrieval = app.services.retrieval, spaceIds = [knowledgeSpaceId]) {
  const results = await search({ spaceIds, query, limit: 10 }, retrieval)
  return results.map((result) => result.content)
}
async function search(request: Partial<SearchRequest>, retrieval: Retrieval = app.services.retrieval) {
  const whole = { spaceIds: [knowledgeSpaceId], query: '', limit: 10, ...request }
  const run = (db: OrgStoreContext['db']) => retrieval.search({ db, organizationId }, whole)
  return (await app.database.organization(organizationId, run, { readOnly: true })).results
}
const segments = () =>
  app.database.organization(organizationId, (db) =>
    db.selectFrom('index_segments').where('knowledge_space_id', '=', knowledgeSpaceId).selectAll().execute(),
  )
const tidy = () => tidyIndex(app.services, { organizationId, knowledgeSpaceId })

describe('another server', () => {
  it('finds what was added and not what was deleted since its last look', async () => {
    const other = createRetrieval()
    const note = await addNote('Первая: доставка утром.')
    expect(await find('доставка', other)).toEqual(['Первая: доставка утром.'])
    await addNote('Вторая: доставка вечером.')
    expect(await find('доставка', other)).toHaveLength(2)
    await person.http.mutation(api.knowledge.fragments.remove, { fragmentId: note._id })
    expect(await find('доставка', other)).toEqual(['Вторая: доставка вечером.'])
    await other.close()
  })
})

describe('a small cache', () => {
  it('does not change the results', async () => {
    const tiny = createRetrieval({ cacheBytes: 1 })
    const second = await newSpace()
    await addNote('Доставка утром.')
    await addNote('Доставка вечером.', second)
    for (let round = 0; round < 3; round++) {
      expect(await find('доставка', tiny)).toEqual(['Доставка утром.'])
      expect(await find('доставка', tiny, [second])).toEqual(['Доставка вечером.'])
      expect(await find('доставка', tiny, [knowledgeSpaceId, second])).toHaveLength(2)
    }
    await tiny.close()
  })
})

describe('the hidden passages of a space', () => {
  const now = new Date()
  /** What the search needs to know of it. */
  const hide = (limits: Partial<SourceLimits>, passed = 0) =>
    app.database.organization(organizationId, async (db) => {
      const space = { id: knowledgeSpaceId, withoutKinds: [], limits: { tags: [], languages: [], now, ...limits } }
      const hidden = hiddenIn({ db, organizationId }, space, passed)
      return { key: hidden.key, ids: await hidden.ids() }
    })

  it('are determined in the database, by tags, languages and times', async () => {
    const tagged = await addNote('Доставка утром.')
    await person.http.mutation(api.knowledge.marks.update, { sourceId: tagged._id, patch: { tags: ['shops'] } })
    await addNote('Delivery in the evening.')
    expect((await hide({})).ids.size).toBe(0)
    expect((await hide({ tags: ['shops'] })).ids.size).toBe(1)
    expect((await hide({ tags: ['people'] })).ids.size).toBe(2)
    expect((await hide({ languages: ['en'] })).ids.size).toBe(1)
    const ended = { validUntil: now.getTime() - 1 }
    await person.http.mutation(api.knowledge.marks.update, { sourceId: tagged._id, patch: ended })
    expect((await hide({ tags: ['shops'] })).ids.size).toBe(2)
  })

  it('have a short key, the same for the same filters until a validity period begins or ends', async () => {
    const many = Array.from({ length: 20 }, (_, number) => `tag ${number} ${'x'.repeat(40)}`)
    const { key } = await hide({ tags: many })
    expect(key.length).toBeLessThan(100)
    expect((await hide({ tags: many.toReversed(), now: new Date(0) })).key).toBe(key)
    const others = [hide({ tags: many.slice(1) }), hide({ tags: many, languages: ['ru'] }), hide({ tags: many }, 1)]
    for (const other of await Promise.all(others)) expect(other.key).not.toBe(key)
  })
})

describe('what an agent is given', () => {
  it('includes the chunks adjacent to the best ones, in reading order, within the budget', async () => {
    const sentences = (topic: string) => `${topic} описаны здесь подробно и по порядку. `.repeat(12)
    await addNote(`${sentences('Размеры одежды')}\n\n${sentences('Сроки доставки')}\n\n${sentences('Виды упаковки')}`)
    await addNote('Обувь меряют вечером.')
    const wanted = { query: 'сроки доставки', limit: 1, order: 'document' } as const
    const given = (tokenBudget: number) => search({ ...wanted, tokenBudget })
    const [found, ...others] = await search(wanted)
    expect(others).toEqual([])
    const results = await given(2_000)
    expect(results.length).toBeGreaterThan(1)
    expect(results.filter((result) => !result.isNeighbour).map(({ id }) => id)).toEqual([found?.id])
    const places = results.map((result) => result.metadata.chunkIndex)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
    expect(new Set(results.map((result) => result.documentId)).size).toBe(1)
    expect(await given(1)).toEqual([found])
  })
})

describe('deletions that the index has not seen', () => {
  it('are not shown and hide nothing else', async () => {
    for (let number = 0; number < SEGMENTS_MAX; number++) {
      await addNote(`Доставка доставка номер ${number}. `.repeat(150).trim())
    }
    await addNote('О доставке в праздники спросите оператора, когда будете оформлять заказ на сайте.')
    await app.database.organization(organizationId, (db) =>
      db
        .deleteFrom('chunks')
        .where('knowledge_space_id', '=', knowledgeSpaceId)
        .where('body', 'like', '%номер%')
        .execute(),
    )
    expect(await find('доставка')).toHaveLength(1)
    await tidy()
    expect(await find('доставка')).toHaveLength(1)
    expect((await segments()).reduce((sum, segment) => sum + segment.chunk_count, 0)).toBe(1)
  })
})

describe('compaction', () => {
  it('reads only those segments that it merges', async () => {
    await addNote(`${'Доставка утром по городу. '.repeat(400)}`)
    const gone = await addNote('Самовывоз вечером.')
    const [large] = (await segments()).toSorted((a, b) => b.chunk_count - a.chunk_count)
    const head = headLength(large?.chunk_count ?? 0)
    const ofLarge = (db: Db) => db.updateTable('index_segments').where('id', '=', large?.id ?? '')
    const change = (blob: Uint8Array) =>
      app.database.organization(organizationId, (db) => ofLarge(db).set({ blob }).execute())
    await change(large?.blob.subarray(0, head) ?? new Uint8Array())
    await app.database.organization(organizationId, (db) =>
      db.deleteFrom('chunks').where('source_id', '=', gone._id).execute(),
    )
    await tidy()
    await change(large?.blob ?? new Uint8Array())
    expect((await segments()).map(({ id }) => id)).toEqual([large?.id])
    expect(await find('самовывоз')).toEqual([])
    expect((await find('доставка')).length).toBeGreaterThan(0)
  })

  it('keeps chunks that were indexed while segments were merged', async () => {
    await addNote('Доставка по городу утром. '.repeat(200))
    const inOrganization = <T>(run: (db: Db) => Promise<T>) => app.database.organization(organizationId, run)
    const ofSpace = (db: Db) => db.selectFrom('chunks').where('knowledge_space_id', '=', knowledgeSpaceId)
    const { id } = await inOrganization((db) => ofSpace(db).select('id').orderBy('ordinal').executeTakeFirstOrThrow())
    await inOrganization((db) =>
      db.deleteFrom('chunks').where('knowledge_space_id', '=', knowledgeSpaceId).where('id', '<>', id).execute(),
    )
    const { retrieval, jobs } = app.services
    const slow: Retrieval = {
      ...retrieval,
      async mergeSegments(merged) {
        const blob = await retrieval.mergeSegments(merged)
        await inOrganization(async (db) => {
          const generated_questions = JSON.stringify(['Когда приедет курьер?'])
          await db.updateTable('chunks').set({ generated_questions }).where('id', '=', id).execute()
          await reindexChunks({ db, organizationId, jobs }, knowledgeSpaceId, [id])
        })
        return blob
      },
    }
    await tidyIndex({ database: app.database, retrieval: slow }, { organizationId, knowledgeSpaceId })
    for (let round = 0; round < 3; round++) {
      expect(await find('курьер')).toHaveLength(1)
      expect(await find('доставка')).toHaveLength(1)
      await tidy()
    }
    expect((await segments()).map((segment) => segment.chunk_count)).toEqual([1])
  })

  it('does not run for each of many deletions', async () => {
    const notes = []
    for (let number = 0; number < 6; number++) notes.push(await addNote(`Доставка номер ${number}.`))
    for (const { _id } of notes) await person.http.mutation(api.knowledge.fragments.remove, { fragmentId: _id })
    const { rows } = await sql`select id from jobs.job
      where name = 'knowledge.tidy-index' and data ->> 'knowledgeSpaceId' = ${knowledgeSpaceId}`.execute(
      app.database.root,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.length).toBeLessThanOrEqual(3) // immediately, in the next minute, and in the one after if a minute ends just now
  })
})

describe('an index that was lost', () => {
  it('is rebuilt from the chunks', async () => {
    await addNote('Доставка утром.')
    await app.database.organization(organizationId, async (db) => {
      await db.deleteFrom('index_segments').where('knowledge_space_id', '=', knowledgeSpaceId).execute()
      await db.updateTable('knowledge_spaces').set({ index_version: 99 }).where('id', '=', knowledgeSpaceId).execute()
    })
    expect(await find('доставка')).toEqual([])
    await tidy()
    expect(await find('доставка')).toEqual(['Доставка утром.'])
    const before = await segments()
    await tidy()
    expect(await segments()).toEqual(before)
  })
})

describe('an index of an older version', () => {
  it('is rebuilt from the chunks, and serves until then', async () => {
    await addNote('Доставка утром.')
    await app.database.organization(organizationId, (db) =>
      db
        .updateTable('index_segments')
        .set({ words_version: 1 })
        .where('knowledge_space_id', '=', knowledgeSpaceId)
        .execute(),
    )
    const [before] = await segments()
    expect(await find('доставка')).toEqual(['Доставка утром.'])
    await renewIndexes(app.services)
    await app.settle()
    const after = await segments()
    expect(after).toMatchObject([{ chunk_count: 1, words_version: WORDS_VERSION }])
    expect(after[0]?.id).not.toBe(before?.id)
    expect(await find('доставка')).toEqual(['Доставка утром.'])
  })
})

describe('which segments are merged', () => {
  const plan = (...sizes: number[]) =>
    segmentsToMerge(sizes.map((chunkCount) => ({ chunkCount, deletedCount: 0 }))).map((segment) => segment.chunkCount)

  it('none while there are few', () => {
    expect(plan(...Array.from({ length: SEGMENTS_MAX }, () => 1))).toEqual([])
  })

  it('small ones, leaving the large one alone', () => {
    expect(plan(10_000, 1, 1, 1, 1, 1, 1, 1, 1)).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
  })

  it('mostly deleted ones in any case', () => {
    expect(
      segmentsToMerge([
        { chunkCount: 10, deletedCount: 6 },
        { chunkCount: 10, deletedCount: 5 },
      ]),
    ).toEqual([{ chunkCount: 10, deletedCount: 6 }])
  })
})
