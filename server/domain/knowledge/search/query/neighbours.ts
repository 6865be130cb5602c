// Neighbours of hits: a chunk is small so that it is found, and its neighbours often hold the rest of the answer. Pure.
import type { Hit } from '../hits.store.ts'
import type { RankedHit } from './after-ranking.ts'

/** A chunk to show: a hit, or, without a ranking, a neighbour of one. */
export type ShownHit = { chunk: RankedHit['chunk'] | null; hit: Hit }

/** Only what scores at least this share of the best is widened: around weak hits there is little to win. */
const WIDENED_SHARE = 0.5
/** What follows a chunk completes it more often than what precedes it. */
const STEPS = [1, -1]

/** Positions of possible neighbours. Empty without hits. */
export function neighbourPlaces(found: RankedHit[]): { sourceId: string; ordinal: number }[] {
  return widened(found).flatMap(({ hit }) =>
    STEPS.map((step) => ({ sourceId: hit.sourceId, ordinal: hit.ordinal + step })),
  )
}

/**
 * The hits and, as far as the budget goes, their neighbours: those under the same heading first, those of better hits first.
 *
 * @param found best first
 * @param neighbours chunks at `neighbourPlaces`; others are ignored
 */
export function withNeighbours(found: RankedHit[], neighbours: Hit[], tokenBudget: number): ShownHit[] {
  const shown: ShownHit[] = [...found]
  const isShown = new Set(found.map(({ hit }) => hit.contentHash))
  let left = tokenBudget - found.reduce((sum, { hit }) => sum + hit.tokens, 0)
  for (const hit of candidates(widened(found), neighbours)) {
    if (hit.tokens > left || isShown.has(hit.contentHash)) continue
    shown.push({ chunk: null, hit })
    isShown.add(hit.contentHash)
    left -= hit.tokens
  }
  return shown
}

function widened(found: RankedHit[]): RankedHit[] {
  const best = Math.max(...found.map(({ chunk }) => chunk.score))
  return found.filter(({ chunk }) => chunk.score >= best * WIDENED_SHARE)
}

function candidates(winners: RankedHit[], neighbours: Hit[]): Hit[] {
  const pairs = winners.flatMap(({ hit }) =>
    STEPS.flatMap((step) => {
      const neighbour = neighbours.find((each) => each.sourceId === hit.sourceId && each.ordinal === hit.ordinal + step)
      return neighbour ? [{ neighbour, isSameSection: isSamePath(neighbour.headingPath, hit.headingPath) }] : []
    }),
  )
  return [...pairs.filter((pair) => pair.isSameSection), ...pairs.filter((pair) => !pair.isSameSection)].map(
    (pair) => pair.neighbour,
  )
}

function isSamePath(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((heading, depth) => heading === b[depth])
}
