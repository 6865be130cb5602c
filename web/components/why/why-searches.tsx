// The searches in the agent's knowledge, and their results.
import type { TraceSearch } from '#shared/messaging/trace.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { formatScore } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { WhySection } from './why-section.tsx'

/** The search before the model was called, then those that the model requested. */
export function WhySearches({ searches }: { searches: TraceSearch[] }) {
  const { t } = useTranslation('why')
  if (searches.length === 0) return null
  return (
    <WhySection title={t(($) => $.searches.title)}>
      <ol className="flex flex-col gap-3">
        {searches.map((search, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list of a finished turn never changes
          <li key={index} className="flex flex-col gap-2">
            <p className="flex flex-wrap items-center gap-2 text-sm">
              <q className="break-words">{search.query}</q>
              {search.isWeak && <Badge tone="warning">{t(($) => $.searches.weak)}</Badge>}
            </p>
            {search.results.length === 0 && (
              <p className="text-muted-foreground text-xs">{t(($) => $.searches.nothing)}</p>
            )}
            <ul className="flex flex-col gap-2">
              {search.results.map((result) => (
                <li key={result.id} className="rounded-lg border border-border p-3 text-xs">
                  <p className="flex flex-wrap justify-between gap-x-3 gap-y-1 font-medium">
                    <span className="min-w-0 break-words">
                      {result.source}
                      {result.page !== null && `, ${t(($) => $.searches.page, { page: result.page })}`}
                    </span>
                    {/* A neighbour of a found passage was not found itself, and has no score. */}
                    <span className="tabular-nums">
                      {result.score > 0 ? formatScore(result.score) : t(($) => $.searches.neighbour)}
                    </span>
                  </p>
                  <p className="mt-1 line-clamp-3 break-words text-muted-foreground">{result.excerpt}</p>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </WhySection>
  )
}
