// How pieces of text are joined: what a reader sees apart is never one word, and no two numbers are ever one.

/** `closed`, `opened`: which edges of elements lie between two pieces of text; `piece`: the one before, alone. */
export type Edges = { closed: boolean; opened: boolean; piece: string }

const DIGIT = /\p{Nd}/u
const LETTER = /\p{L}/u

/** Whether a space belongs between two texts with nothing but the edges of inline elements between them. */
export function needsSpace(before: string, after: string, { closed, opened, piece }: Edges): boolean {
  const left = before.at(-1) ?? ''
  const [right = ''] = after
  if (!left || !right || /\s/.test(left) || /\s/.test(right) || !(closed || opened)) return false
  const [isLeftDigit, isRightDigit] = [DIGIT.test(left), DIGIT.test(right)]
  const isLeftWord = isLeftDigit || LETTER.test(left)
  if (!isLeftWord) return closed && opened && /[.!?:;,)\]»”%₸₽$€]/u.test(left) && /[\p{L}\p{Nd}«“(]/u.test(right)
  if (!isRightDigit && !LETTER.test(right)) return closed && opened && /[(«“₸₽$€]/u.test(right)
  if (isLeftDigit || isRightDigit) return true
  if (/\p{Ll}/u.test(left) && /\p{Lu}/u.test(right)) return true
  return closed && opened && !(isSingleLetter(piece) && isSingleLetter(after))
}

/** Letters that are set one by one, as in an animated title. */
function isSingleLetter(text: string): boolean {
  return text.trim().length === 1
}
