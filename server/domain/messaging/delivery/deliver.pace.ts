// Keeps to the pace at which a provider accepts messages. A part that comes too early gets a time slot, so that waiting parts leave one
// after another. Each server paces its own sends; what is too much together the provider refuses with the time to wait, and that is
// waited for.
import type { ChannelPace, Pace } from '#server/integrations/channels/contract/capabilities.ts'

/** Longer than any slot lies ahead; a slot not taken by then belongs to a part that went another way. */
const FORGOTTEN_MS = 10 * 60_000
const FORGET_EVERY_MS = 60_000

type Paced = { id: string; connectionId: string; chatId: string }

export interface Pacer {
  /** Milliseconds that a part has to wait; 0: it is sent now, and was counted. */
  waitMs(part: Paced, pace: ChannelPace, now: number): number
}

/** A pacer for all connections of this process. */
export function createPacer(): Pacer {
  /** By connection or chat, the last slots that were assigned. */
  const moments = new Map<string, number[]>()
  /** By part and what it waits for, its slot. */
  const given = new Map<string, number>()
  let forgottenAt = 0

  function momentOf(key: string, partId: string, pace: Pace, now: number): number {
    const own = `${key} ${partId}`
    const before = given.get(own)
    if (before !== undefined) return before
    const list = moments.get(key) ?? []
    const nth = list.at(-pace.count)
    const at = nth === undefined ? now : Math.max(now, nth + pace.perMs)
    moments.set(key, [...list, at].slice(-pace.count))
    given.set(own, at)
    return at
  }

  function forget(now: number): void {
    if (now - forgottenAt < FORGET_EVERY_MS) return
    forgottenAt = now
    for (const [key, at] of given) if (at < now - FORGOTTEN_MS) given.delete(key)
    for (const [key, list] of moments) if ((list.at(-1) ?? 0) < now - FORGOTTEN_MS) moments.delete(key)
  }

  return {
    waitMs({ id, connectionId, chatId }, pace, now) {
      forget(now)
      const { chat, pace: ofChat } = pace.of(chatId)
      const keys = [`${connectionId}/${chat}`, connectionId] as const
      // The connection's slots are given only to what its chat lets go: they never lie far ahead for the other chats.
      const inChat = momentOf(keys[0], id, ofChat, now)
      const at = inChat > now ? inChat : momentOf(keys[1], id, pace.all, now)
      if (at > now) return at - now
      for (const key of keys) given.delete(`${key} ${id}`)
      return 0
    },
  }
}
