// Menu items that merge a conversation with others of the same contact or separate it, and their dialogs.
import { Merge, Split } from 'lucide-react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { DropdownMenuItem } from '#web/components/ui/dropdown-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { MergeWithDialog } from '../contact/merge-with-dialog.tsx'
import { SeparateDialog } from '../contact/separate-dialog.tsx'

export type ThreadStep = 'merge' | 'separate'

type ThreadItemsProps = { conversation: Conversation; onChoose: (step: ThreadStep) => void }

/** Merging for a known contact that is not deleted, separating for merged conversations. */
export function ThreadItems({ conversation: { customer, thread, folder }, onChoose }: ThreadItemsProps) {
  const { t } = useTranslation('conversations')
  return (
    <>
      {customer && folder !== 'deleted' && (
        <DropdownMenuItem onSelect={() => onChoose('merge')}>
          <Merge aria-hidden="true" />
          {t(($) => $.thread.with)}
        </DropdownMenuItem>
      )}
      {thread && (
        <DropdownMenuItem onSelect={() => onChoose('separate')}>
          <Split aria-hidden="true" />
          {t(($) => $.thread.separate)}
        </DropdownMenuItem>
      )}
    </>
  )
}

type ThreadDialogProps = { conversation: Conversation; step: ThreadStep | null; onClose: () => void }

/** The dialog of the chosen item; renders nothing while none is chosen. */
export function ThreadDialog({ conversation, step, onClose }: ThreadDialogProps) {
  const { customer, thread } = conversation
  if (step === 'merge' && customer) {
    return <MergeWithDialog conversation={conversation} customerId={customer._id} onClose={onClose} />
  }
  if (step === 'separate' && thread) return <SeparateDialog thread={thread} onClose={onClose} />
  return null
}
