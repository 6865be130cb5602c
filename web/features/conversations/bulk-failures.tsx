// Which of many conversations could not be changed, and why.
import type { Conversation } from '#shared/conversations.ts'
import type { ErrorCode } from '#shared/errors.ts'
import { Dialog, DialogContent } from '#web/components/ui/dialog.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type BulkFailuresProps = {
  updated: number
  failures: { conversationId: Conversation['_id']; error: ErrorCode }[]
  conversations: Conversation[]
  onClose: () => void
}

/** Open as long as it is mounted. */
export function BulkFailures({ updated, failures, conversations, onClose }: BulkFailuresProps) {
  const { t } = useTranslation('conversations')
  const nameOf = (id: Conversation['_id']) =>
    conversations.find(({ _id }) => _id === id)?.customer?.name || t(($) => $.list.unnamed)
  const title = t(($) => $.bulk.outcome, {
    updated: formatNumber(updated),
    failed: formatNumber(failures.length),
  })
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title}>
        <ul className="flex max-h-80 flex-col gap-2 overflow-y-auto text-sm">
          {failures.map(({ conversationId, error }) => (
            <li key={conversationId}>
              <span className="font-medium">{nameOf(conversationId)}</span>
              <span className="text-muted-foreground"> · {describeCode(error)}</span>
            </li>
          ))}
        </ul>
      </DialogContent>
    </Dialog>
  )
}
