// Random interleavings of everybody who can act on a conversation: the first of the seeds that `npm run simulate` plays.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { tell } from './failing-seed.ts'
import { playSeeds } from './play.ts'

const SEEDS = 30
const MINUTES = 60_000

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('no agent is heard after a pause, answers twice or keeps silent without a reason', {
  timeout: 10 * MINUTES,
}, async () => {
  const seeds = Array.from({ length: SEEDS }, (_, at) => at + 1)
  const guilty = await playSeeds(test.database, seeds)
  expect(guilty.map(tell)).toEqual([])
})
