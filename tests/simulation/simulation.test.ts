// Random interleavings of everybody who can act on a conversation. `SEEDS=10000` plays so many, `SEED=123` plays the steps of one again,
// several times: when timers and servers act between them is left to the clock, as it is in life.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { MANNERS } from './manners.ts'
import { moodyModel } from './model.ts'
import { playSeed } from './script.ts'
import { SimulationWorld, type Station } from './world.ts'

const SEEDS = Number(process.env.SEEDS ?? 200)
/** How often one seed is played again: what else happens between its steps is another each time. */
const PLAYS = Number(process.env.PLAYS ?? 25)
const AT_ONCE = 24
const MINUTES = 60_000

let test: TestDatabase
let world: SimulationWorld
let stations: Station[]

beforeAll(async () => {
  test = await openTestDatabase()
  world = new SimulationWorld(test.database, moodyModel)
  await world.start()
  stations = await Promise.all(MANNERS.map((settings) => world.addStation(settings)))
})
afterAll(async () => {
  await world.stop()
  await test.close()
})

it('no agent is heard after a pause, answers twice or keeps silent without a reason', {
  timeout: 20 * MINUTES,
}, async () => {
  const seed = Number(process.env.SEED)
  const plays = seed
    ? Array.from({ length: PLAYS }, (_, play) => ({ seed, play }))
    : Array.from({ length: SEEDS }, (_, at) => ({ seed: at + 1, play: 0 }))
  const guilty: string[] = []
  const work = async () => {
    for (let next = plays.pop(); next !== undefined; next = plays.pop()) {
      const complaint = await playSeed(world, stations, next)
      if (complaint) guilty.push(complaint)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  expect(guilty).toEqual([])
})
