// What a search has found: passages with the score of each stage, and how sure one can be.
import { FileText, SearchX, StickyNote } from 'lucide-react'
import type { SearchResponse, SearchResult } from '#shared/knowledge.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatDuration, formatPercent, formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type SearchResultsProps = { answer: SearchResponse; onOpen: (result: SearchResult) => void }

/** Best first. A weak best passage is called what it is. */
export function SearchResults({ answer, onOpen }: SearchResultsProps) {
  const { t } = useTranslation('rag-tester')
  const { results, isWeak } = answer
  if (results.length === 0) {
    return <EmptyState icon={SearchX} title={t(($) => $.results.none)} description={t(($) => $.results.noneBody)} />
  }
  return (
    <div className="flex flex-col gap-3">
      <Summary answer={answer} />
      <Timings stages={answer.stages} />
      {isWeak && (
        <Alert tone="warning" title={t(($) => $.results.weakTitle)}>
          {t(($) => $.results.weakBody)}
        </Alert>
      )}
      <ol className="flex flex-col gap-3">
        {results.map((result) => (
          <li key={result.id}>
            <ResultCard result={result} onOpen={() => onOpen(result)} />
          </li>
        ))}
      </ol>
    </div>
  )
}

function Summary({ answer: { results, evidence, elapsedMs } }: { answer: SearchResponse }) {
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
    </p>
  )
}

/** Where the time went, and what was done without. */
function Timings({ stages }: Pick<SearchResponse, 'stages'>) {
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

function ResultCard({ result, onOpen }: { result: SearchResult; onOpen: () => void }) {
  const { t } = useTranslation('rag-tester')
  const { source, sourceKind, page, chunkIndex, totalChunks, headingPath } = result.metadata
  const Icon = sourceKind === 'fragment' ? StickyNote : FileText
  return (
    <Card className="relative p-4 hover:shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <button
          type="button"
          onClick={onOpen}
          aria-label={t(($) => $.results.open, { name: source })}
          className="link-cover min-w-0 max-w-full truncate text-start font-medium"
        >
          {source}
        </button>
        <span className="text-muted-foreground text-xs">
          {page !== null && `${t(($) => $.results.page, { page })} · `}
          {t(($) => $.results.part, { index: chunkIndex + 1, total: totalChunks })}
        </span>
        {result.isNeighbour ? (
          <Badge className="ms-auto">{t(($) => $.results.neighbour)}</Badge>
        ) : (
          <span className="ms-auto flex items-center gap-2 text-muted-foreground text-xs tabular-nums">
            <Progress value={result.score} label={t(($) => $.results.scoreLabel)} className="w-16" />
            {t(($) => $.results.score, { score: formatScore(result.score) })}
          </span>
        )}
      </div>
      {headingPath.length > 0 && <p className="mt-2 font-medium text-[0.8125rem]">{headingPath.join(' › ')}</p>}
      <p className="mt-1 line-clamp-4 whitespace-pre-wrap break-words">{result.content}</p>
      <StageScores result={result} />
    </Card>
  )
}

function StageScores({ result: { scores, tokens, matchedTerms, isNeighbour } }: { result: SearchResult }) {
  const { t } = useTranslation('rag-tester')
  return (
    <p className="mt-2 flex flex-wrap gap-x-3 text-muted-foreground text-xs tabular-nums">
      {!isNeighbour && (
        <>
          <span>{t(($) => $.results.words, { score: formatScore(scores.words) })}</span>
          <span>{t(($) => $.results.grams, { score: formatScore(scores.grams) })}</span>
          {scores.meaning !== null && (
            <span>{t(($) => $.results.meaning, { score: formatScore(scores.meaning) })}</span>
          )}
          {scores.relevance !== null && (
            <span>{t(($) => $.results.relevance, { score: formatScore(scores.relevance) })}</span>
          )}
        </>
      )}
      <span>{t(($) => $.results.tokens, { count: tokens })}</span>
      {matchedTerms.length > 0 && <span>{t(($) => $.results.matched, { terms: matchedTerms.join(', ') })}</span>}
    </p>
  )
}
