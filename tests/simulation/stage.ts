// The conversations being played, looked up by any id that a part of the server knows of them.
import type { Random } from '#tests/random.ts'
import type { Fixture } from './fixture.ts'
import type { Order } from './order.ts'

export type Sent = { text: string; wasSilenced: boolean }

/** A chat with one customer, as seen from outside the server. */
export type Voice = {
  chatId: string
  /** Texts that the channel has shown, in order. */
  sent: Sent[]
  /** No message of the agent may be shown now … */
  isSilenced: boolean
  /** … except the question for a rating and the thanks for it: an operator has ended the conversation. */
  mayBeAsked: boolean
}

/** What one seed plays: a conversation, and the other that may be merged with it. */
export type Play = {
  seed: number
  station: Fixture
  random: Random
  order: Order
  voices: Voice[]
  /** A part of it was claimed by a server, and its sending has not begun. */
  isPartClaimed: boolean
}

/** All plays in progress. */
export class Stage {
  readonly #byKey = new Map<string, Play>()
  readonly #keys = new Map<Play, string[]>()

  enter(play: Play): void {
    this.#keys.set(play, [])
    for (const { chatId } of play.voices) this.#know(play, chatId)
    this.#know(play, play.station.organizationId)
  }

  leave(play: Play): void {
    for (const key of this.#keys.get(play) ?? []) this.#byKey.delete(key)
    this.#keys.delete(play)
  }

  all(): Play[] {
    return [...this.#keys.keys()]
  }

  /** By the id of its chat, its organization, or one of its rows. */
  find(key: string): Play | undefined {
    return this.#byKey.get(key)
  }

  /** The plays whose ids the result of a transaction contains. */
  concerned(result: unknown): Play[] {
    return [...new Set([...idsIn(result)].flatMap((id) => this.find(id) ?? []))]
  }

  /** Every id in the result of a transaction of one conversation is of its rows. */
  learn(play: Play, result: unknown): void {
    if (this.#keys.has(play)) for (const id of idsIn(result)) this.#know(play, id)
  }

  #know(play: Play, key: string): void {
    this.#byKey.set(key, play)
    this.#keys.get(play)?.push(key)
  }
}

/** Texts below keys that hold ids, at any depth. */
function* idsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    if (typeof item === 'object') yield* idsIn(item)
    else if (typeof item === 'string' && ID_KEYS.has(key)) yield item
  }
}

const ID_KEYS = new Set(['id', 'turnId', 'organizationId', 'chatId'])
