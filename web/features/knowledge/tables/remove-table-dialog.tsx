// The question before a table is deleted.
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import type { DataTable } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { RemoveSourceDialog } from '../remove-source-dialog.tsx'

type RemoveTableDialogProps = { space: KnowledgeSpace; table: DataTable; onClose: () => void }

/** Open while mounted. */
export function RemoveTableDialog({ space, table, onClose }: RemoveTableDialogProps) {
  const { t } = useTranslation('tables')
  const remove = useMutation(api.knowledge.tables.remove)
  return (
    <RemoveSourceDialog
      space={space}
      title={t(($) => $.remove.title, { name: table.name })}
      description={t(($) => $.remove.description)}
      confirmLabel={t(($) => $.remove.confirm)}
      onRemove={async () => {
        await remove({ tableId: table._id })
        toast.success(t(($) => $.remove.done, { name: table.name }))
      }}
      onClose={onClose}
    />
  )
}
