// Waiting for a conversation: until it is answered, and until nothing of it is under way.
import { setTimeout } from 'node:timers/promises'
import type { Standing } from './lookout.ts'
import type { Play } from './stage.ts'
import type { SimulationWorld } from './world.ts'

const LOOK_PAUSE_MS = 10
/** A conversation that does not come to rest is judged as it is. Less than a lease: a turn that hangs is not rescued by its end. */
const LONGEST_MS = 20_000

/** Waits until nothing is being answered, or only the clock is waited for: what is written may not have been sent yet. */
export async function awaitAnswer(world: SimulationWorld, play: Play): Promise<void> {
  const until = Date.now() + LONGEST_MS
  while (Date.now() < until) {
    const { busyTurns, waits } = await world.look(play)
    if (busyTurns === 0 || waits) break
    await setTimeout(LOOK_PAUSE_MS)
  }
  await play.order.act('was answered', () => undefined)
}

/** Waits until nothing of a conversation is under way; what waits for a clock has its time come. */
export async function comeToRest(world: SimulationWorld, play: Play): Promise<Standing> {
  const until = Date.now() + LONGEST_MS
  for (;;) {
    const standing = await world.look(play)
    const { busyTurns, openParts, isDue, waits } = standing
    const isAtRest = busyTurns === 0 && openParts === 0 && !isDue
    if (isAtRest || Date.now() > until) {
      await play.order.act('is at rest', () => undefined)
      return standing
    }
    if (waits) await world.passTime(play, { isTimersToo: false })
    await setTimeout(LOOK_PAUSE_MS)
  }
}
