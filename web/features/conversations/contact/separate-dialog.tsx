// The question before conversations that are shown as one are separated.
import type { Conversation } from '#shared/messaging/conversations.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useThreads } from '../panel/use-threads.ts'

type SeparateDialogProps = { thread: NonNullable<Conversation['thread']>; onClose: () => void }

/** Open while mounted. */
export function SeparateDialog({ thread, onClose }: SeparateDialogProps) {
  const { t } = useTranslation('conversations')
  const { separate } = useThreads()
  return (
    <ConfirmDialog
      title={t(($) => $.thread.separateTitle)}
      description={t(($) => $.thread.separateHint)}
      confirmLabel={t(($) => $.thread.separate)}
      onConfirm={() => separate(thread._id)}
      onClose={onClose}
    />
  )
}
