// Which parts, whose sending had an unknown outcome, are among the texts that a provider reports as accepted.
import type { TakenText } from '#server/integrations/channels/contract/capabilities.ts'
import { sentText } from '#server/platform/lib/text/sent-text.ts'
import type { Markup } from '#shared/channels/manifest.ts'
import type { Id } from '#shared/ids.ts'

/** A text whose sending had an unknown outcome. `isPlain`: a person typed it, and it was sent as it is; otherwise it is Markdown. */
export type UnknownPart = { id: Id<'outbox'>; chatId: string; text: string; isPlain: boolean }
export type FoundPart = { id: Id<'outbox'>; externalMessageId: string }

/**
 * What was sent of a part is its text as the channel renders it. Each accepted text stands for one part: of two equal parts of a chat
 * with one equal text accepted, one is found.
 * @param markup how the channel shows
 * @param known ids of the provider that are known to be of other parts
 */
export function findTaken(
  parts: UnknownPart[],
  { taken, known, markup }: { taken: TakenText[]; known: ReadonlySet<string>; markup: Markup },
): FoundPart[] {
  const free = new Map<string, string[]>()
  for (const { externalMessageId, ...takenText } of taken) {
    if (known.has(externalMessageId)) continue
    const key = keyOf(takenText)
    free.set(key, [...(free.get(key) ?? []), externalMessageId])
  }
  return parts.flatMap((part) => {
    const sent = { chatId: part.chatId, text: sentText(part.text, part.isPlain ? null : markup) }
    const externalMessageId = free.get(keyOf(sent))?.pop()
    return externalMessageId === undefined ? [] : [{ id: part.id, externalMessageId }]
  })
}

/** Providers trim what they are given. */
function keyOf({ chatId, text }: { chatId: string; text: string }): string {
  return JSON.stringify([chatId, text.trim()])
}
