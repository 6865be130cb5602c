// An answer → the parts that are sent one after another, and the time that each of them takes.
import { fitsIn, splitText, type TextLimit } from '#server/platform/lib/text/split-text.ts'
import { blocksOf } from '#server/platform/lib/text/text-blocks.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** Nobody sends more messages in a row; only an answer that the channel does not take in so few has more. */
export const MESSAGES_AT_MOST = 5

/** A quick person with a keyboard, and one who has the answer at hand: nobody waits longer for the next message than TYPING_MAX_MS. */
const TYPED_CHARACTERS_PER_SECOND = 15
const TYPING_MIN_MS = 1000
const TYPING_MAX_MS = 8000

/** `delayMs`: how long after the part before it, or after the answer was ready, it is sent. */
export type PacedPart = { text: string; delayMs: number }

/**
 * The parts of an answer for a channel that takes so much at once; none for a channel that shows the answer itself.
 * A link, a list or a code block is never taken apart unless it is too long for one part.
 *
 * @param isByParagraph each paragraph becomes a part of its own; otherwise only what is too long is split
 */
export function splitReply(text: string, limit: TextLimit | null, isByParagraph = false): string[] {
  if (limit === null) return []
  const groups = isByParagraph ? paragraphs(text, limit) : [text]
  return groups.flatMap((group) => splitText(group, limit))
}

/**
 * The parts of an answer with the time that a person would need to type each, or none at once.
 *
 * @param typedMs for how long the customer has seen somebody typing: the first part is waited for so much less
 */
export function paceParts(texts: string[], pace: AgentSettings['replies']['pace'], typedMs: number): PacedPart[] {
  return texts.map((text, part) => {
    const neededMs = pace === 'human' ? typingMs(text) : 0
    return { text, delayMs: part === 0 ? Math.max(0, neededMs - typedMs) : neededMs }
  })
}

function typingMs(text: string): number {
  const ms = Math.round((1000 * text.length) / TYPED_CHARACTERS_PER_SECOND)
  return Math.min(Math.max(ms, TYPING_MIN_MS), TYPING_MAX_MS)
}

/** Paragraphs, the shortest neighbours joined until there are few enough. */
function paragraphs(text: string, limit: TextLimit): string[] {
  const groups = blocksOf(text)
  while (groups.length > MESSAGES_AT_MOST) {
    const lengths = groups.slice(1).map(({ end }, before) => end - (groups[before]?.start ?? 0))
    const shortest = lengths.indexOf(Math.min(...lengths))
    const [first, second] = groups.slice(shortest, shortest + 2)
    if (!first || !second || !fitsIn(text.slice(first.start, second.end), limit)) break
    groups.splice(shortest, 2, { start: first.start, end: second.end })
  }
  return groups.map(({ start, end }) => text.slice(start, end))
}
