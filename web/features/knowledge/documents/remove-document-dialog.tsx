// The question before a document is deleted.
import type { KnowledgeDocument, KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { RemoveSourceDialog } from '../remove-source-dialog.tsx'

type RemoveDocumentDialogProps = { space: KnowledgeSpace; document: KnowledgeDocument; onClose: () => void }

/** Open while mounted. */
export function RemoveDocumentDialog({ space, document, onClose }: RemoveDocumentDialogProps) {
  const { t } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.documents.remove)
  return (
    <RemoveSourceDialog
      space={space}
      title={t(($) => $.removeDocument.title, { name: document.name })}
      description={t(($) => $.removeDocument.description)}
      confirmLabel={t(($) => $.removeDocument.confirm)}
      onRemove={async () => {
        await remove({ documentId: document._id })
        toast.success(t(($) => $.documents.removed, { name: document.name }))
      }}
      onClose={onClose}
    />
  )
}
