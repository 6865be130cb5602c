// Which parts, whose sending had an unknown outcome, are among the texts that a provider says to have taken.
import type { TakenText } from '#server/adapters/channel.ts'
import type { Id } from '#shared/ids.ts'

/** A text whose sending had an unknown outcome. */
export type UnknownPart = { id: Id<'outbox'>; chatId: string; text: string }
export type FoundPart = { id: Id<'outbox'>; externalMessageId: string }

/**
 * Each text that was taken stands for one part: of two equal parts of a chat with one equal text taken, one is found.
 * @param known ids of the provider that are known to be of other parts
 */
export function findTaken(parts: UnknownPart[], taken: TakenText[], known: ReadonlySet<string>): FoundPart[] {
  const free = new Map<string, string[]>()
  for (const { externalMessageId, ...said } of taken) {
    if (known.has(externalMessageId)) continue
    const key = keyOf(said)
    free.set(key, [...(free.get(key) ?? []), externalMessageId])
  }
  return parts.flatMap((part) => {
    const externalMessageId = free.get(keyOf(part))?.pop()
    return externalMessageId === undefined ? [] : [{ id: part.id, externalMessageId }]
  })
}

/** Providers trim what they are given. */
function keyOf({ chatId, text }: { chatId: string; text: string }): string {
  return JSON.stringify([chatId, text.trim()])
}
