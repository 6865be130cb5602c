// The question before a note is deleted.
import type { Fragment, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { RemoveSourceDialog } from '../remove-source-dialog.tsx'

type RemoveNoteDialogProps = { space: KnowledgeSpace; note: Fragment; onClose: () => void }

/** Open while mounted. */
export function RemoveNoteDialog({ space, note, onClose }: RemoveNoteDialogProps) {
  const { t } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.fragments.remove)
  return (
    <RemoveSourceDialog
      space={space}
      title={t(($) => $.notes.removeTitle, { name: note.name })}
      description={t(($) => $.notes.removeDescription)}
      confirmLabel={t(($) => $.notes.removeConfirm)}
      onRemove={async () => {
        await remove({ fragmentId: note._id })
        toast.success(t(($) => $.notes.removed))
      }}
      onClose={onClose}
    />
  )
}
