// The rows of a table from which an answer was computed, and what was computed of them.
import { ErrorBoundary } from 'react-error-boundary'
import type { MessageSource } from '#shared/conversations.ts'
import type { UsedRows } from '#shared/tables.ts'
import { SourceLinks } from '#web/components/passages/source-links.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ComputedGroups } from './computed-groups.tsx'
import { DataGrid } from './data-grid.tsx'

/** Open as long as there is a source. Under each question that was asked of the table: what was computed, and of which rows; the table itself, if it is still there. */
export function UsedRowsDialog({ source, onClose }: { source: MessageSource | null; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  return (
    <Dialog open={source !== null} onOpenChange={(isOpen) => !isOpen && onClose()}>
      {source && (
        <DialogContent
          title={t(($) => $.rows.title, { name: source.source })}
          description={t(($) => $.rows.description)}
          className="max-w-3xl"
        >
          {source.rows?.map((used) => (
            <Used key={JSON.stringify(used)} used={used} />
          ))}
          <ErrorBoundary fallback={<p className="text-muted-foreground">{t(($) => $.rows.gone)}</p>}>
            <SourceLinks source={{ documentId: source.documentId, name: source.source }} />
          </ErrorBoundary>
        </DialogContent>
      )}
    </Dialog>
  )
}

function Used({ used: { columns, rows, matched, computed } }: { used: UsedRows }) {
  const { t } = useTranslation('conversations')
  const title =
    rows.length < matched
      ? t(($) => $.rows.shownOf, { shown: formatNumber(rows.length), count: matched })
      : t(($) => $.rows.all, { count: matched })
  return (
    <>
      {computed && <ComputedGroups computed={computed} />}
      <DataGrid
        title={title}
        columns={[t(($) => $.rows.number), ...columns]}
        rows={rows.map(({ number, cells }) => ({
          id: String(number),
          cells: [formatNumber(number), ...columns.map((_, at) => cells[at])],
        }))}
        isNumbered
      />
    </>
  )
}
