// Random interleavings of everybody who can act on a conversation. `SEEDS=10000` plays so many, `SEED=123` plays one again.
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { AgentSettings } from '#shared/agent-settings.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { moodyModel } from './model.ts'
import { playSeed } from './script.ts'
import { SimulationWorld, type Station } from './world.ts'

const SEEDS = Number(process.env.SEEDS ?? 300)
const AT_ONCE = 24
/** Seeds between two restarts of the server. */
const RESTART_EVERY = 200
const MINUTES = 60_000

const HANDOFF = {
  customer: { stop: ['operator', 'human'], resume: ['bot'] },
  operator: { stop: [], resume: ['over to you'] },
  byAgent: true,
  text: 'Somebody will come.',
  autoResumeMs: null,
}
const FOLLOW_UPS: AgentSettings['followUps'] = {
  isOn: true,
  steps: [
    { afterMinutes: 30, mode: 'text', text: 'Any questions left?' },
    { afterMinutes: 60, mode: 'generated', text: 'Offer help.' },
  ],
  quietHours: null,
  maxPerCustomerADay: 10,
}
const NEVER: number[][] = Array.from({ length: 7 }, () => [])
/** Agents of different manners. */
const MANNERS: Partial<AgentSettings>[] = [
  {},
  { handoff: HANDOFF },
  { handoff: { ...HANDOFF, text: '', autoResumeMs: 10 * MINUTES } },
  { buffer: { seconds: 30 }, handoff: HANDOFF },
  { replies: { splitByParagraphs: true, pace: 'human' }, handoff: HANDOFF },
  { followUps: FOLLOW_UPS, handoff: HANDOFF },
  { fallback: { models: ['test/other'], last: 'text', text: 'Please wait.' }, handoff: HANDOFF },
  { fallback: { models: [], last: 'handoff', text: '' }, handoff: HANDOFF },
  { spam: { agentDailyLimit: null, customerDailyLimit: 2, warningPercent: 50, text: 'Enough for today.' } },
  { availability: { isLimited: true, hours: NEVER, outside: 'text', text: 'We are closed.' }, handoff: HANDOFF },
  { availability: { isLimited: true, hours: NEVER, outside: 'handoff', text: '' }, handoff: HANDOFF },
]

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
  const seeds = process.env.SEED ? [Number(process.env.SEED)] : Array.from({ length: SEEDS }, (_, at) => at + 1)
  const guilty: string[] = []
  while (seeds.length > 0) {
    const batch = seeds.splice(0, RESTART_EVERY)
    const work = async () => {
      for (let seed = batch.pop(); seed !== undefined; seed = batch.pop()) {
        const complaint = await playSeed(world, stations, seed)
        if (complaint) guilty.push(complaint)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    if (seeds.length > 0) await world.restart()
  }
  expect(guilty).toEqual([])
})
