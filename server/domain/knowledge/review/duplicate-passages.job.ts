// Looks through spaces for passages that say the same, or the same with other figures. People decide which of two is right.
import { setTimeout } from 'node:timers/promises'
import type { Services } from '#server/functions/services.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { byTurns } from '../spaces/turns.ts'
import { findPairs } from './duplicate-passages.rules.ts'
import * as store from './duplicate-passages.store.ts'

type ComparingServices = Pick<Services, 'database'>

/** Looks every few minutes for spaces that have changed. */
export const comparePassagesJob = defineJob<object, ComparingServices>({
  name: 'knowledge.pairs',
  limitSeconds: 600,
  concurrency: 1,
  schedule: '*/10 * * * *',
  run: (services, _, signal) => comparePassages(services, signal),
})

/** Safe to repeat and to run on several servers: one at a time works on a space. */
export async function comparePassages({ database }: ComparingServices, signal: AbortSignal): Promise<void> {
  const spaces = await database.system('knowledge: changed spaces', (db) => store.listSpacesToCompare({ db }), {
    readOnly: true,
  })
  await byTurns(
    spaces,
    async (space) => {
      await database.withLock(`pairs ${space.knowledgeSpaceId}`, () => compare({ database }, space))
      return true
    },
    signal,
  )
}

async function compare({ database }: ComparingServices, space: store.SpaceToCompare): Promise<void> {
  const { organizationId, knowledgeSpaceId } = space
  const read = <T>(run: (ctx: OrgStoreContext) => Promise<T>) =>
    database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true })
  const chunks = await read((ctx) => store.listCompared(ctx, knowledgeSpaceId))
  const pairs = await findPairs(chunks, halfTime())
  const foundIn = await read((ctx) => store.listFoundIn(ctx, knowledgeSpaceId))
  const ranked = pairs.map((pair) => {
    const conversations = [pair.first, pair.second].flatMap(({ chunkId }) => [...(foundIn.get(chunkId) ?? [])])
    return { ...pair, conversations: new Set(conversations).size }
  })
  await database.organization(organizationId, (db) => store.savePairs({ db, organizationId }, space, ranked))
}

/** Milliseconds for which a comparison keeps the server busy. */
const BUSY_MS = 10

/** Rests as long as it has worked, so that conversations are not slowed down meanwhile. */
function halfTime(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < BUSY_MS) return
    await setTimeout(BUSY_MS)
    since = performance.now()
  }
}
