// What a search has found: passages with their scores, and how sure one can be.
import { FileText, SearchX, StickyNote } from 'lucide-react'
import type { SearchResponse, SearchResult } from '#shared/knowledge.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatDuration, formatPercent, formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type SearchResultsProps = { answer: SearchResponse; onOpen: (result: SearchResult) => void }

/** Best first. A weak best passage is called what it is. */
export function SearchResults({ answer, onOpen }: SearchResultsProps) {
  const { t } = useTranslation('knowledge')
  const { results, evidence, elapsedMs, isWeak } = answer
  if (results.length === 0) {
    return (
      <EmptyState
        icon={SearchX}
        title={t(($) => $.search.noResultsTitle)}
        description={t(($) => $.search.noResultsBody)}
      />
    )
  }
  return (
    <div className="flex flex-col gap-3">
      <p role="status" className="flex flex-wrap gap-x-3 text-muted-foreground">
        <span>{t(($) => $.search.results, { count: results.length, elapsed: formatDuration(elapsedMs) })}</span>
        <span title={t(($) => $.search.evidenceHint)}>
          {t(($) => $.search.evidence, { percent: formatPercent(evidence) })}
        </span>
      </p>
      {isWeak && (
        <Alert tone="warning" title={t(($) => $.search.weakTitle)}>
          {t(($) => $.search.weakBody)}
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

function ResultCard({ result, onOpen }: { result: SearchResult; onOpen: () => void }) {
  const { t } = useTranslation('knowledge')
  const { source, sourceKind, page, chunkIndex, totalChunks, headingPath } = result.metadata
  const Icon = sourceKind === 'fragment' ? StickyNote : FileText
  return (
    <Card className="relative p-4 hover:shadow-raised">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Icon aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
        <button
          type="button"
          onClick={onOpen}
          aria-label={t(($) => $.search.open, { name: source })}
          className="link-cover min-w-0 max-w-full truncate text-start font-medium"
        >
          {source}
        </button>
        <span className="text-muted-foreground text-xs">
          {page !== null && `${t(($) => $.search.page, { page })} · `}
          {t(($) => $.search.part, { index: chunkIndex + 1, total: totalChunks })}
        </span>
        <span className="ms-auto flex items-center gap-2 text-muted-foreground text-xs tabular-nums">
          <Progress value={result.score} label={t(($) => $.search.scoreLabel)} className="w-16" />
          {t(($) => $.search.score, { score: formatScore(result.score) })}
        </span>
      </div>
      {headingPath.length > 0 && <p className="mt-2 font-medium text-[0.8125rem]">{headingPath.join(' › ')}</p>}
      <p className="mt-1 line-clamp-4 whitespace-pre-wrap break-words">{result.content}</p>
      <p className="mt-2 flex flex-wrap gap-x-3 text-muted-foreground text-xs tabular-nums">
        <span>{t(($) => $.search.words, { score: formatScore(result.scores.words) })}</span>
        <span>{t(($) => $.search.grams, { score: formatScore(result.scores.grams) })}</span>
        {result.matchedTerms.length > 0 && (
          <span>{t(($) => $.search.matched, { terms: result.matchedTerms.join(', ') })}</span>
        )}
      </p>
    </Card>
  )
}
