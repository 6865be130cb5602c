// The results of a search: passages with the score of each stage, and the confidence.
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import type { AgentSearchResponse } from '#shared/knowledge/knowledge-search.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { formatDuration, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ResultCard } from './result-card.tsx'

type SearchResultsProps = {
  answer: AgentSearchResponse
  onOpen: (result: SearchResult) => void
  /** Shown at the end of a result. */
  mark: (result: SearchResult) => ReactNode
}

/** Best first. A weak best passage is labelled as weak. The stages are listed even when nothing was found. */
export function SearchResults({ answer, onOpen, mark }: SearchResultsProps) {
  const { t } = useTranslation('rag-tester')
  const { results } = answer
  const isWeak = answer.isWeak && results.length > 0
  return (
    <div className="flex flex-col gap-3">
      <Summary answer={answer} />
      <Timings stages={answer.stages} />
      {answer.wordings.length > 0 && (
        <p className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.results.wordings, { wordings: answer.wordings.join(' · ') })}
        </p>
      )}
      {isWeak && (
        <Alert tone="warning" title={t(($) => $.results.weakTitle)}>
          {t(($) => $.results.weakBody)}
        </Alert>
      )}
      {results.length === 0 && (
        <EmptyState icon={SearchX} title={t(($) => $.results.none)} description={t(($) => $.results.noneBody)} />
      )}
      <ol className="flex flex-col gap-3 empty:hidden">
        {results.map((result, at) => (
          <li key={result.id}>
            <PartBoundary text={result.content} resetKeys={[result]}>
              <ResultCard
                result={result}
                isAhead={isAhead(result, results.slice(at + 1))}
                onOpen={() => onOpen(result)}
                mark={mark(result)}
              />
            </PartBoundary>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** Whether it is ranked above a higher score: notes may be, and unexplained it looks like a mistake. */
function isAhead({ metadata, score }: SearchResult, later: SearchResult[]): boolean {
  return metadata.sourceKind === 'fragment' && later.some((other) => !other.isNeighbour && other.score > score)
}

function Summary({ answer: { results, evidence, nearest, elapsedMs } }: { answer: AgentSearchResponse }) {
  const { t } = useTranslation('rag-tester')
  const tokens = results.reduce((sum, result) => sum + result.tokens, 0)
  return (
    <p role="status" className="flex flex-wrap gap-x-3 text-muted-foreground tabular-nums">
      <span>
        {t(($) => $.results.count, { count: results.length })}{' '}
        {t(($) => $.results.elapsed, { elapsed: formatDuration(elapsedMs) })}
      </span>
      <span>{t(($) => $.results.tokens, { count: tokens })}</span>
      <span title={t(($) => $.results.evidenceHint)}>
        {t(($) => $.results.evidence, { percent: formatPercent(evidence) })}
      </span>
      {nearest !== null && (
        <span title={t(($) => $.results.nearestHint)}>
          {t(($) => $.results.nearest, { percent: formatPercent(nearest) })}
        </span>
      )}
    </p>
  )
}

/** The duration of each stage, and the stages that were skipped. */
function Timings({ stages }: Pick<AgentSearchResponse, 'stages'>) {
  const { t } = useTranslation('rag-tester')
  return (
    <ul
      aria-label={t(($) => $.results.timings)}
      className="flex flex-wrap gap-x-3 text-muted-foreground text-xs tabular-nums"
    >
      {stages.map(({ stage, elapsedMs, hasFailed }) => {
        const name = t(($) => $.results.stage[stage])
        return (
          <li key={stage}>
            {hasFailed
              ? t(($) => $.results.skipped, { stage: name })
              : t(($) => $.results.timing, { stage: name, elapsed: formatDuration(elapsedMs) })}
          </li>
        )
      })}
    </ul>
  )
}
