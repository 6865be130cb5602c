// What a person can choose about how one file is read, and what parsers say of it.
import type { DocumentWarning, HiddenCounts } from '#shared/knowledge/knowledge.ts'

export type ReadOptions = {
  /** Whether what its author has hidden is read, too. */
  includeHidden: boolean
  /** As a person has chosen for a file that does not say how its letters are encoded; null: not chosen. */
  encoding: string | null
  /** Whether the likeliest encoding is taken without asking, as for a customer's attachment. */
  takesGuess: boolean
}

/** Nothing is chosen. */
export const READ_OPTIONS: ReadOptions = { includeHidden: false, encoding: null, takesGuess: false }

/** At most one warning: none where nothing is hidden. */
export function hiddenWarnings(
  counts: HiddenCounts,
  { includeHidden }: Pick<ReadOptions, 'includeHidden'>,
): DocumentWarning[] {
  const some = Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  return Object.keys(some).length === 0 ? [] : [{ kind: 'hidden', counts: some, isIncluded: includeHidden }]
}
