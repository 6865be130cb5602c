// Ranked chunks → what is shown: no near-duplicates, notes before documents, within the token budget. Pure.
import type { SearchStage } from '#shared/knowledge/knowledge-search.ts'
import { wordsOf } from '../analysis/words.ts'
import type { Hit } from '../hits.store.ts'
import type { RankedChunk } from './ranking.ts'

/**
 * A ranked chunk that is known to exist. `meaning`: 0 to 1, how near it is to the question; `relevance`: what a reranking model thinks
 * of it, on its own scale; undefined: that was not asked.
 */
export type RankedHit = {
  chunk: Omit<RankedChunk, 'place' | 'scores'> & {
    scores: RankedChunk['scores'] & { meaning?: number; relevance?: number }
  }
  hit: Hit
}
export type Selection = { limit: number; tokenBudget?: number; without?: readonly SearchStage[] }

/** Two texts with this share of common words say the same, unless their numbers differ. */
const DUPLICATE_SHARE = 0.9
/**
 * A note that was written for such a question goes before every document chunk when it scores at least this share of the best.
 * People write notes to correct or complete documents.
 */
const NOTE_WINS_SHARE = 0.65

/** The hits to show, best first. */
export function select(ranked: RankedHit[], { limit, tokenBudget, without = [] }: Selection): RankedHit[] {
  const ordered = without.includes('notes') ? ranked : notesFirst(ranked)
  const kept = without.includes('duplicates') ? ordered.slice(0, limit) : withoutDuplicates(ordered, limit)
  return withinBudget(kept, tokenBudget)
}

/** Sources by their best hit, the hits of one source as they follow one another in it. */
export function inReadingOrder<Shown extends Pick<RankedHit, 'hit'>>(hits: Shown[]): Shown[] {
  const bySource = Map.groupBy(hits, ({ hit }) => hit.sourceId)
  return [...bySource.values()].flatMap((ofSource) => ofSource.sort((a, b) => a.hit.ordinal - b.hit.ordinal))
}

function notesFirst(ranked: RankedHit[]): RankedHit[] {
  const least = (ranked[0]?.chunk.score ?? 0) * NOTE_WINS_SHARE
  const wins = ({ hit, chunk }: RankedHit) => hit.sourceKind === 'fragment' && chunk.score >= least
  return [...ranked.filter(wins), ...ranked.filter((each) => !wins(each))]
}

function withoutDuplicates(ranked: RankedHit[], limit: number): RankedHit[] {
  const kept: { ranked: RankedHit; content: Content }[] = []
  for (const each of ranked) {
    if (kept.length === limit) break
    const content = contentOf(each.hit)
    if (!kept.some((other) => isDuplicate(content, other.content))) kept.push({ ranked: each, content })
  }
  return kept.map((each) => each.ranked)
}

type Content = { hash: string; words: Set<string>; numbers: string }

function contentOf({ body, contentHash }: Hit): Content {
  const words = wordsOf(body)
  return { hash: contentHash, words: new Set(words), numbers: words.filter((word) => /\p{N}/u.test(word)).join(' ') }
}

/** Prices and dates make all the difference between texts that are otherwise the same. */
function isDuplicate(a: Content, b: Content): boolean {
  if (a.hash === b.hash) return true
  if (a.numbers !== b.numbers) return false
  const larger = Math.max(a.words.size, b.words.size)
  if (Math.min(a.words.size, b.words.size) < larger * DUPLICATE_SHARE) return false
  let common = 0
  for (const word of a.words) if (b.words.has(word)) common++
  return common > larger * DUPLICATE_SHARE
}

/** The best hit is always kept; the first that does not fit ends the list. */
function withinBudget(ranked: RankedHit[], tokenBudget = Number.POSITIVE_INFINITY): RankedHit[] {
  let tokens = 0
  const end = ranked.findIndex(({ hit }, index) => {
    tokens += hit.tokens
    return index > 0 && tokens > tokenBudget
  })
  return end < 0 ? ranked : ranked.slice(0, end)
}
