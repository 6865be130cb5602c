// Two organizations with the same texts under one index cache, by words and by meaning: neither ever sees a chunk of the other.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { embedChunks } from '#server/domain/knowledge/documents/embeddings/embeddings.job.ts'
import type { QueryVectors } from '#server/domain/knowledge/search/retrieval.ts'
import type { Id } from '#shared/ids.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'
import { embeddingsConfig, type FakeEmbeddings, startFakeEmbeddings } from '#tests/fakes/embeddings.ts'

const TEXTS = [
  'Курьер приезжает на следующий день.',
  'Возврат за 14 дней.',
  'Принимаем карты и наличные.',
  'Гарантия один год.',
]
const QUESTIONS = ['Когда привезут курьером?', 'как вернуть деньги', 'оплата картой', 'ремонт по гарантии', 'дней']
const SEARCHES = 1_000
/** Searches of one transaction. */
const AT_ONCE = 25

type Tenant = {
  organizationId: Id<'organizations'>
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  chunkIds: Set<string>
}
let app: TestApp
let fake: FakeEmbeddings
let tenants: Tenant[]

beforeAll(async () => {
  fake = await startFakeEmbeddings()
  app = await startApp({ config: { embeddings: embeddingsConfig(fake) } })
  tenants = [await addTenant(), await addTenant()]
  await embedChunks(app.services, new AbortController().signal)
})
afterAll(async () => {
  await app.close()
  await fake.close()
})

async function addTenant(): Promise<Tenant> {
  const person = await app.signUp()
  const knowledgeSpaceId = (await person.http.mutation(api.knowledge.spaces.create, { name: 'Справка' }))._id
  for (const content of TEXTS) {
    await person.http.mutation(api.knowledge.fragments.create, { knowledgeSpaceId, name: 'Заметка', content })
  }
  const organizationId = person.organization._id
  const rows = await app.database.organization(organizationId, (db) => db.selectFrom('chunks').select('id').execute())
  return { organizationId, knowledgeSpaceId, chunkIds: new Set(rows.map((row) => row.id)) }
}

it(`finds, in ${SEARCHES} searches that name the spaces of both, only what is the organization's own`, async () => {
  const { embeddings, retrieval } = app.services
  const { vectors = [] } = (await embeddings?.embed(QUESTIONS, { signal: new AbortController().signal })) ?? {}
  const asked = QUESTIONS.map((query, at) => ({ query, vectors: vectorOf(vectors[at]) }))
  const spaceIds = tenants.map((tenant) => tenant.knowledgeSpaceId)
  for (let done = 0; done < SEARCHES; done += AT_ONCE * tenants.length) {
    await Promise.all(
      tenants.map(({ organizationId, chunkIds }) =>
        app.database.organization(
          organizationId,
          async (db) => {
            for (let search = 0; search < AT_ONCE; search++) {
              const question = asked[(done + search) % asked.length] ?? { query: '', vectors: new Map() }
              const { results } = await retrieval.search({ db, organizationId }, { ...question, spaceIds, limit: 10 })
              expect(results.length).toBeGreaterThan(0)
              expect(results[0]?.scores.meaning).not.toBeNull()
              expect(results.filter(({ id }) => !chunkIds.has(id))).toEqual([])
            }
          },
          { readOnly: true },
        ),
      ),
    )
  }
}, 60_000)

function vectorOf(vector: Float32Array | undefined): QueryVectors {
  return new Map(vector ? [['topics-small', vector]] : [])
}
