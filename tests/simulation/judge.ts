// What has to be true of a conversation at rest, whatever has happened to it.
import { gather } from './evidence.ts'
import { comeToRest } from './rest.ts'
import type { Play } from './stage.ts'
import type { SimulationWorld } from './world.ts'

/** Broken promises of one seed, with what led to them: the steps of its script, and the order of everything that happened. */
export type Guilty = { seed: number; complaints: string[]; steps: string[]; order: readonly string[] }

/** `returnedAt`, `settledAt`: as in `gather`. */
type Judged = { world: SimulationWorld; play: Play; returnedAt: number; settledAt: number }

/** Lets everything come to rest and holds it against the promises. @returns those that are broken */
export async function judge({ world, play, returnedAt, settledAt }: Judged): Promise<string[]> {
  const { id, busyTurns, openParts } = await comeToRest(world, play)
  const evidence = await gather(world, id, { returnedAt, settledAt })
  const spoken = play.sent.filter(({ text }) => !text.startsWith('operator:'))
  const answered = spoken.flatMap(({ text }) => text.match(/m\d+/g) ?? [])
  const numbers = evidence.settled.flatMap((text) => text.match(/^m\d+/)?.[0] ?? [])
  const lost = numbers.filter((number) => !answered.includes(number))
  const complaints = [
    spoken.some(({ wasSilenced }) => wasSilenced) && 'the agent was heard after it had been silenced',
    new Set(answered).size < answered.length && `answered twice: ${answered.join(' ')}`,
    busyTurns > 0 && 'a turn never ends',
    openParts > 0 && 'a part is never sent',
    evidence.status === 'active' && evidence.unanswered > 0 && !evidence.is_explained && 'silence without a reason',
    evidence.status === 'active' && lost.length > 0 && `counted as answered, and never heard: ${lost.join(' ')}`,
    evidence.is_call_lost && 'a call for a person is gone before anybody came',
    evidence.status === 'paused' && evidence.pause_reason === null && 'paused without a reason',
    evidence.counted !== evidence.replied_turns && `${evidence.replied_turns} answers, ${evidence.counted} counted`,
  ]
  return complaints.filter((complaint) => complaint !== false)
}
