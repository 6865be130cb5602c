// How many searches of one organization read the database at the same time.
import { expect, it } from 'vitest'
import type { Retrieval } from '#server/domain/knowledge/search/retrieval.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { FairScheduler } from '#server/platform/lib/scheduling/fair-scheduler.ts'
import type { SearchResponse } from '#shared/knowledge/knowledge.ts'
import { type Read, searchFully } from './search.full.ts'

const NOTHING: SearchResponse = { results: [], evidence: 0, nearest: null, isWeak: true, elapsedMs: 0, stages: [] }

it('searches of one organization wait for each other, and those of another for none of them', async () => {
  const [own, other] = [newId('organizations'), newId('organizations')]
  const begun: string[] = []
  const held = Promise.withResolvers<void>()
  const retrieval = { search: () => held.promise.then(() => NOTHING) } as unknown as Retrieval
  const limits = { places: Infinity, most: () => 2, isBackground: () => false, budget: null }
  const parts = { retrieval, embeddings: null, reranker: null, searches: new FairScheduler(limits) }
  const search = (organizationId: typeof own) => {
    const read: Read = (run) => {
      begun.push(organizationId)
      return run({ organizationId } as OrgStoreContext)
    }
    return searchFully(read, parts, { organizationId, spaceIds: [newId('knowledgeSpaces')], query: 'tea', limit: 3 })
  }
  const searches = [own, own, own, own, other].map(search)
  await new Promise((resolve) => setImmediate(resolve))
  expect(begun).toEqual([own, own, other])
  held.resolve()
  await Promise.all(searches)
  expect(begun).toEqual([own, own, other, own, own])
})
