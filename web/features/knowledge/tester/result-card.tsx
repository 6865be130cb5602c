// One found passage: where it stands, what it says, and the score of each stage.
import { FileText, StickyNote } from 'lucide-react'
import type { ReactNode } from 'react'
import type { SearchResult } from '#shared/knowledge/knowledge.ts'
import { usePlaceText } from '#web/components/passages/use-place-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** `isAhead`: it is a note, and goes before passages that score more. */
type ResultCardProps = { result: SearchResult; isAhead: boolean; onOpen: () => void; mark: ReactNode }

/** Opens its source at the passage wherever it is pressed, but on `mark`. */
export function ResultCard({ result, isAhead, onOpen, mark }: ResultCardProps) {
  const { t } = useTranslation('rag-tester')
  const { source, sourceKind, chunkIndex, totalChunks, headingPath } = result.metadata
  const place = usePlaceText()(result.metadata)
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
          {place && `${place} · `}
          {t(($) => $.results.part, { index: chunkIndex + 1, total: totalChunks })}
        </span>
        {isAhead && <Badge>{t(($) => $.results.ahead)}</Badge>}
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
      <div className="mt-2 flex flex-wrap items-end justify-between gap-x-3 gap-y-2">
        <StageScores result={result} />
        {!result.isNeighbour && <div className="relative z-10">{mark}</div>}
      </div>
    </Card>
  )
}

function StageScores({ result: { scores, tokens, matchedTerms, isNeighbour } }: { result: SearchResult }) {
  const { t } = useTranslation('rag-tester')
  return (
    <p className="flex flex-wrap gap-x-3 text-muted-foreground text-xs tabular-nums">
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
