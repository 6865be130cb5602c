// What a conversation's menu offers for being shown as one with others of the same contact, and the dialogs behind it.
import { Merge, Split } from 'lucide-react'
import type { Conversation } from '#shared/messaging/conversations.ts'
import { DropdownMenuItem } from '#web/components/ui/dropdown-menu.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { MergeWithDialog } from '../contact/merge-with-dialog.tsx'
import { SeparateDialog } from '../contact/separate-dialog.tsx'

export type ThreadStep = 'merge' | 'separate'

type ThreadItemsProps = { conversation: Conversation; onChoose: (step: ThreadStep) => void }

/** Merging for whoever is known and not deleted, separating for what is shown as one. */
export function ThreadItems({ conversation: { customer, thread, place }, onChoose }: ThreadItemsProps) {
  const { t } = useTranslation('conversations')
  return (
    <>
      {customer && place !== 'deleted' && (
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

/** The dialog of the step that was chosen; nothing while none is. */
export function ThreadDialog({ conversation, step, onClose }: ThreadDialogProps) {
  const { customer, thread } = conversation
  if (step === 'merge' && customer) {
    return <MergeWithDialog conversation={conversation} customerId={customer._id} onClose={onClose} />
  }
  if (step === 'separate' && thread) return <SeparateDialog thread={thread} onClose={onClose} />
  return null
}
