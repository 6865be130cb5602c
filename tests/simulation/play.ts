// Plays seeds: many at a time in one world, or one again and again, alone.
import type { Database } from '#server/db/database.ts'
import type { Guilty } from './judge.ts'
import { UNAWAITED } from './observed.ts'
import { Order } from './order.ts'
import { playSeed } from './script.ts'
import { SimulationWorld } from './world.ts'

/** Conversations at the same time: they share servers, claims and sends. More cost less, and step less often into each other's midst. */
const AT_ONCE = 32

/** Plays each once. `onPlayed` hears of each, null: all promises hold. @returns the guilty ones */
export async function playSeeds(
  database: Database,
  seeds: number[],
  onPlayed: (guilty: Guilty | null) => void = () => undefined,
): Promise<Guilty[]> {
  const world = new SimulationWorld(database)
  await world.start()
  const found: Guilty[] = []
  const left = seeds.toReversed()
  const work = async () => {
    for (let seed = left.pop(); seed !== undefined; seed = left.pop()) {
      const guilty = await playSeed(world, { seed, play: 0, order: new Order() })
      if (guilty) found.push(guilty)
      onPlayed(guilty)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await world.stop()
  return found
}

/** `missed`: events of the record that did not come in its order. */
type Replay = { guilty: Guilty | null; missed: number }

/** Plays one seed several times, one after another; in the order of a record, if there is one. */
export async function replaySeed(
  database: Database,
  { seed, record, plays }: { seed: number; record: string[] | null; plays: number },
): Promise<Replay[]> {
  const world = new SimulationWorld(database)
  await world.start()
  const replays: Replay[] = []
  for (let play = 0; play < plays; play++) {
    const order = new Order(record, UNAWAITED)
    const guilty = await playSeed(world, { seed, play, order })
    replays.push({ guilty, missed: order.missed })
  }
  await world.stop()
  return replays
}
