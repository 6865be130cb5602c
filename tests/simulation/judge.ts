// What must hold for a conversation at rest, no matter what has happened to it.
import { gather, type Known } from './evidence.ts'
import { comeToRest } from './rest.ts'
import type { Play, Voice } from './stage.ts'
import type { SimulationWorld } from './world.ts'

/** Broken promises of one seed, with what led to them: the steps of its script, and the order of all events. */
export type FailingSeed = { seed: number; complaints: string[]; steps: string[]; order: readonly string[] }

/** `numbers`: the customer's messages in this chat. `shown`: the messages that its conversation, and the one merged with it, must show. */
type Judged = Known & { world: SimulationWorld; play: Play; voice: Voice; numbers: string[]; shown: Shown | null }
type Shown = { expected: string[]; read(conversationId: string): Promise<string[]> }

/** Waits until everything is at rest and checks the promises. @returns those that are broken */
export async function judge({ world, play, voice, numbers, shown, ...known }: Judged): Promise<string[]> {
  const { id, busyTurns, openParts } = await comeToRest(world, play, voice.chatId)
  const evidence = await gather(world, id, known)
  const spoken = voice.sent.filter(({ text }) => !text.startsWith('operator:'))
  const past = spoken.flatMap(({ text, wasSilenced }) => (wasSilenced ? [text] : []))
  const answered = spoken.flatMap(({ text }) => text.match(/m\d+/g) ?? [])
  const settled = evidence.settled.flatMap((text) => text.match(/^m\d+/)?.[0] ?? [])
  const lost = settled.filter((number) => !answered.includes(number))
  const seen = await shown?.read(id)
  const complaints = [
    past.length > 0 && `the agent was heard after it had been silenced: ${past.join(' · ')}`,
    new Set(answered).size < answered.length && `answered twice: ${answered.join(' ')}`,
    answered.some((number) => !numbers.includes(number)) && `answered where it was not asked: ${answered.join(' ')}`,
    seen &&
      seen.join() !== shown?.expected.join() &&
      `shown is ${seen.join(' ')}, expected ${shown?.expected.join(' ')}`,
    busyTurns > 0 && 'a turn never ends',
    openParts > 0 && 'a part is never sent',
    evidence.status === 'active' && evidence.unanswered > 0 && !evidence.is_explained && 'silence without a reason',
    !evidence.is_why_known && '“Why?” of the last message says nothing',
    evidence.status === 'active' && lost.length > 0 && `counted as answered, and never heard: ${lost.join(' ')}`,
    evidence.is_asked_twice && 'asked for a rating twice',
    evidence.is_mistaken && 'a number was mistaken for a rating',
    evidence.is_call_lost && 'a call for a person is gone before anybody came',
    evidence.status === 'paused' && evidence.pause_reason === null && 'paused without a reason',
    evidence.counted !== evidence.replied_turns && `${evidence.replied_turns} answers, ${evidence.counted} counted`,
  ]
  return complaints.filter((complaint) => typeof complaint === 'string')
}
