// What of a turn's record is logged as questions, and which of them are equal. Pure.

import { stem } from '#server/domain/knowledge/search/analysis/stem.ts'
import { isStopWord } from '#server/domain/knowledge/search/analysis/stop-words.ts'
import { wordsOf } from '#server/domain/knowledge/search/analysis/words.ts'
import { smallTalk } from '#server/integrations/llm/extractive/extractive-small-talk.ts'
import type { FoundSource } from '#shared/knowledge/knowledge-queries.ts'
import type { TraceSearch, TurnTrace } from '#shared/messaging/trace.ts'

export type LoggedQuery = {
  position: number
  query: string
  gist: string
  isWeak: boolean
  found: FoundSource[]
  hasFoundLittle: boolean
}

type Recorded = Pick<TurnTrace, 'kind' | 'outcome' | 'searches' | 'tools'>

const FOUND_KEPT = 5
/** Characters. */
const GIST_MAX = 300

/**
 * The searches of a turn to be logged. None of a follow-up, since no customer has asked anything, and none of a turn that was superseded by
 * a further message: the next turn searches again.
 */
export function queriesOf({ kind, outcome, searches, tools }: Recorded): LoggedQuery[] {
  if (kind !== 'reply' || outcome === 'superseded') return []
  const hasFound = tools.some((call) => call.hasFound) || searches.some((search) => !search.isWeak)
  return searches.map(({ query, isWeak, results }, position) => ({
    position,
    query,
    gist: gistOf(query),
    isWeak,
    found: bestOf(results).map(toFound),
    hasFoundLittle: position === 0 && !hasFound && smallTalk(query, 'en') === undefined,
  }))
}

/** Stems of the words that matter, each once, by alphabet. */
export function gistOf(query: string): string {
  const words = wordsOf(query)
  const telling = words.filter((word) => !isStopWord(word))
  const stems = new Set((telling.length > 0 ? telling : words).map(stem))
  return [...stems].sort().join(' ').slice(0, GIST_MAX)
}

/** A model reads them in the order of their documents, with their neighbours: these were not found, and have no score. */
function bestOf(results: TraceSearch['results']): TraceSearch['results'] {
  return results
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, FOUND_KEPT)
}

function toFound({ id, documentId = '', source, page, score }: TraceSearch['results'][number]): FoundSource {
  return { chunkId: id, documentId, source, page, score }
}
