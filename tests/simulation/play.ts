// Plays seeds: many at a time in one world, or one again and again, alone.
import type { Database } from '#server/platform/db/database.ts'
import { analyse } from './database-pool.ts'
import type { Fixture } from './fixture.ts'
import type { FailingSeed } from './judge.ts'
import { MANNERS } from './manners.ts'
import { UNAWAITED } from './observed.ts'
import { Order } from './order.ts'
import { playSeed } from './script.ts'
import { SimulationWorld } from './world.ts'

/** Conversations at the same time: they share servers, claims and sends. More cost less, and step less often into each other's midst. */
const AT_ONCE = 64
const STATIONS_AT_ONCE = 24
/** Numbers of seeds at which the database learns how large its tables are, as it does by itself elsewhere. */
const ANALYSED_AT = [100, 500, 2000]

/** Plays each once. `onPlayed` hears of each, null: all promises hold. @returns the guilty ones */
export async function playSeeds(
  database: Database,
  seeds: number[],
  onPlayed: (guilty: FailingSeed | null) => void = () => undefined,
): Promise<FailingSeed[]> {
  const world = new SimulationWorld(database)
  await world.start()
  const found: FailingSeed[] = []
  const left = seeds.toReversed()
  const stationOf = stationsOf(world, seeds)
  const work = async () => {
    for (let seed = left.pop(); seed !== undefined; seed = left.pop()) {
      if (ANALYSED_AT.includes(seeds.length - left.length)) await analyse(database)
      const guilty = await playSeed(world, { seed, play: 0, order: new Order(), station: await stationOf(seed) })
      if (guilty) found.push(guilty)
      onPlayed(guilty)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  await world.stop()
  return found
}

/** Stations of these seeds, taken in their order and made many at a time. */
function stationsOf(world: SimulationWorld, seeds: number[]): (seed: number) => Promise<Fixture> {
  const made = new Map<number, Promise<Fixture>>()
  return (seed) => {
    if (!made.has(seed)) {
      const at = seeds.indexOf(seed)
      const next = seeds.slice(at, at + STATIONS_AT_ONCE)
      const stations = world.addStations(next.map(mannerOf))
      for (const [place, each] of next.entries())
        made.set(
          each,
          stations.then((all) => present(all[place])),
        )
    }
    const station = present(made.get(seed))
    made.delete(seed)
    return station
  }
}

function mannerOf(seed: number) {
  return present(MANNERS[seed % MANNERS.length])
}

function present<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('a seed has no station')
  return value
}

/** `missed`: events of the record that did not come in its order. */
type Replay = { guilty: FailingSeed | null; missed: number }

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
    const [station] = await world.addStations([mannerOf(seed)])
    const guilty = await playSeed(world, { seed, play, order, station: present(station) })
    replays.push({ guilty, missed: order.missed })
  }
  await world.stop()
  return replays
}
