// Whether words and meaning together are worse than the better of the two, or chance made it look so.
import { type Figures, WORTH } from './methods.ts'

/** `difference`: both less the better one, in shares; `error`: its standard error over the questions. */
export type ComparisonWithBetter = { difference: number; error: number; isWorse: boolean }

/** One in twenty comparisons of equals looks worse than this many standard errors. */
const BEYOND_CHANCE = 1.645

/** Compares places of the same questions, in the same order. */
export function compareWithBetter(
  figure: keyof Figures,
  places: { words: number[]; meaning: number[]; both: number[] },
): ComparisonWithBetter {
  const worth = WORTH[figure]
  const total = (ranks: number[]) => ranks.reduce((sum, rank) => sum + worth(rank), 0)
  const better = total(places.words) >= total(places.meaning) ? places.words : places.meaning
  const gains = places.both.map((rank, at) => worth(rank) - worth(better[at] ?? 0))
  const difference = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
  const variance = gains.reduce((sum, gain) => sum + (gain - difference) ** 2, 0) / Math.max(1, gains.length - 1)
  const error = Math.sqrt(variance / gains.length)
  return { difference, error, isWorse: difference < 0 && difference < -BEYOND_CHANCE * error }
}
