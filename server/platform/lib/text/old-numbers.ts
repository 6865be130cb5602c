// An old number and a new one where a channel cannot strike text through: they would read as one, 10 000 7 000.

const NUMBER_AHEAD = /^\s*\p{Sc}?\s*\d/u
const NUMBER_BEFORE = /\d\s*(?:\p{Sc}|\p{L}{1,6}\.?)?\s*$/u

/** Signs around struck words that stand next to a number, which lead from the old one to the new one; empty for others. */
export function signsOfOld(words: string, { before, after }: { before: string; after: string }) {
  const isNumber = /\d/.test(words)
  const isFirst = isNumber && NUMBER_AHEAD.test(after)
  const isLast = isNumber && !isFirst && /^\s*\p{Sc}?\s*\d/u.test(words) && NUMBER_BEFORE.test(before)
  return {
    opening: isLast ? `${/\s$/.test(before) ? '' : ' '}← ` : '',
    closing: isFirst ? ` →${/^\s/.test(after) ? '' : ' '}` : '',
  }
}
