// Splits an answer into the parts that are sent one after another, and paces them.
import { fitsIn, splitText, type TextLimit } from '#server/platform/lib/text/split-text.ts'
import { blocksOf } from '#server/platform/lib/text/text-blocks.ts'
import type { AgentSettings } from '#shared/agents/agent-settings.ts'

/** Maximum messages in a row, as a person would send; exceeded only when the channel's text limit requires it. */
export const MESSAGES_AT_MOST = 5

/** Typing speed of a quick person with a keyboard; the wait for the next message is at most TYPING_MAX_MS. */
const TYPED_CHARACTERS_PER_SECOND = 15
const TYPING_MIN_MS = 1000
const TYPING_MAX_MS = 8000

/** `delayMs`: delay after the previous part, or after the answer was ready. */
export type PacedPart = { text: string; delayMs: number }

/**
 * The parts of an answer within the channel's text limit; none for a channel that shows the answer itself.
 * A link, a list or a code block is never split unless it is too long for one part.
 *
 * @param isByParagraph each paragraph becomes a part of its own; otherwise only texts that are too long are split
 */
export function splitReply(text: string, limit: TextLimit | null, isByParagraph = false): string[] {
  if (limit === null) return []
  const groups = isByParagraph ? paragraphs(text, limit) : [text]
  return groups.flatMap((group) => splitText(group, limit))
}

/**
 * The parts of an answer, each with the time that a person would need to type it, or without delays, by the pace.
 *
 * @param typedMs how long the customer has seen the typing indicator: subtracted from the delay of the first part
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

/** Paragraphs, with the shortest neighbours joined until at most MESSAGES_AT_MOST are left. */
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
