// What a reranking model thinks of the found chunks comes before everything else that is known of them. Pure.
import type { Id } from '#shared/ids.ts'
import type { RankedHit } from './after-ranking.ts'

/** How relevant chunks are, on the model's own scale. */
export type Relevance = ReadonlyMap<Id<'chunks'>, number>

/** Those that were judged go first, best first, their scores as shares of the best; the others follow as they were. */
export function reranked(ranked: RankedHit[], relevance: Relevance): RankedHit[] {
  const judged = ranked.flatMap((each) => {
    const value = relevance.get(each.hit.id)
    return value === undefined ? [] : [{ ...each, value }]
  })
  if (judged.length === 0) return ranked
  const values = judged.map(({ value }) => value)
  const [best, last] = [Math.max(...values), Math.min(...values, 0)]
  const share = (value: number) => (best === last ? 1 : (value - last) / (best - last))
  const first = judged
    .sort((a, b) => b.value - a.value)
    .map(({ hit, chunk, value }) => {
      return { hit, chunk: { ...chunk, score: share(value), scores: { ...chunk.scores, relevance: value } } }
    })
  const least = first.at(-1)?.chunk.score ?? 0
  const others = ranked.filter(({ hit }) => !relevance.has(hit.id))
  return [...first, ...others.map(({ hit, chunk }) => ({ hit, chunk: { ...chunk, score: chunk.score * least } }))]
}
