// The rows of a table from which an answer was computed, and what was computed of them.
import { ErrorBoundary } from 'react-error-boundary'
import type { MessageSource } from '#shared/messaging/conversations.ts'
import { SourceLinks } from '#web/components/passages/source-links.tsx'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { UsedRowsView } from './used-rows.tsx'

/** Open while there is a source. Under each question to the table: the result and its rows; the table itself, if it still exists. */
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
            <UsedRowsView key={JSON.stringify(used)} used={used} />
          ))}
          <ErrorBoundary fallback={<p className="text-muted-foreground">{t(($) => $.rows.gone)}</p>}>
            <SourceLinks source={{ documentId: source.documentId, name: source.source }} />
          </ErrorBoundary>
        </DialogContent>
      )}
    </Dialog>
  )
}
