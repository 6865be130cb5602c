// The texts of the imported column, with what became of each.
import type { DataTable, TableChunk } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'

const PAGE_SIZE = 30
const TONES = { pending: 'neutral', processing: 'primary', ready: 'success', error: 'destructive' } as const

/** Live, page by page. */
export function TextList({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.tables.chunks,
    { tableId: table._id },
    { initialNumItems: PAGE_SIZE },
  )
  const texts: TableChunk[] = results
  if (status === 'LoadingFirstPage') {
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  }
  return (
    <>
      <ol aria-label={t(($) => $.texts.label)} className="flex flex-col gap-2">
        {texts.map((text) => (
          <li key={text._id} className="rounded-lg border border-border p-3">
            <div className="mb-1 flex flex-wrap items-center gap-2 text-muted-foreground text-xs">
              <Badge tone={TONES[text.status]} hasDot>
                {t(($) => $.texts.status[text.status])}
              </Badge>
              <span>{t(($) => $.texts.tokens, { count: text.tokens })}</span>
            </div>
            <p className="whitespace-pre-wrap break-words text-[0.8125rem]">{text.content}</p>
          </li>
        ))}
      </ol>
      {status !== 'Exhausted' && (
        <Button className="self-center" isBusy={status === 'LoadingMore'} onClick={() => loadMore(PAGE_SIZE)}>
          {t(($) => $.texts.more)}
        </Button>
      )}
    </>
  )
}
