// Waiting for a conversation: until it is answered, and until nothing of it is under way.
import type { Standing } from './poller.ts'
import type { Play } from './stage.ts'
import type { SimulationWorld } from './world.ts'

/** A conversation that does not come to rest is judged as it is. Less than a lease: a turn that hangs is not rescued by its end. */
const LONGEST_MS = 20_000

/** Waits until nothing is being answered, or only the clock is waited for: what is written may not have been sent yet. */
export async function awaitAnswer(world: SimulationWorld, play: Play, chatId: string): Promise<void> {
  const until = Date.now() + LONGEST_MS
  let { busyTurns, waits } = await world.look(play, chatId)
  while (busyTurns > 0 && !waits && Date.now() < until) ({ busyTurns, waits } = await world.lookAgain(play, chatId))
  await play.order.act('was answered', () => undefined)
}

/** Waits until nothing of a conversation is under way; what waits for a clock has its time come. */
export async function comeToRest(world: SimulationWorld, play: Play, chatId: string): Promise<Standing> {
  const until = Date.now() + LONGEST_MS
  let standing = await world.look(play, chatId)
  while (!isAtRest(standing) && Date.now() < until) {
    if (standing.waits) await world.passTime(play, { isTimersToo: false })
    standing = await world.lookAgain(play, chatId)
  }
  await play.order.act('is at rest', () => undefined)
  return standing
}

function isAtRest({ busyTurns, openParts, isDue }: Standing): boolean {
  return busyTurns === 0 && openParts === 0 && !isDue
}
