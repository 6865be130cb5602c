// An answer → the parts that are sent one after another.
import { splitText } from '#server/lib/split-text.ts'

/** The parts of an answer for a channel that takes so many characters at once; none for a channel that shows the answer itself. */
export function splitReply(text: string, maxTextLength: number | null): string[] {
  return maxTextLength === null ? [] : splitText(text, maxTextLength)
}
