// How far the import of a column is.
import type { DataTable } from '#shared/knowledge/tables.ts'
import { Progress } from '#web/components/ui/progress.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Of unknown length while the texts are cut. */
export function ImportProgress({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  const { total, ready, failed } = table.chunks
  const done = ready + failed
  return (
    <div className="mt-1.5 flex max-w-md items-center gap-3">
      <Progress value={total ? done / total : null} label={t(($) => $.import.progressOf, { name: table.name })} />
      <span className="shrink-0 text-muted-foreground text-xs tabular-nums">
        {total === null
          ? t(($) => $.import.cutting)
          : t(($) => $.import.progress, { done: formatNumber(done), count: total })}
      </span>
    </div>
  )
}
