// The question before a document is deleted: which agents can no longer answer from it.
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents.ts'
import type { KnowledgeDocument, KnowledgeSpace } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

type RemoveDocumentDialogProps = { space: KnowledgeSpace; document: KnowledgeDocument; onClose: () => void }

/** Open as long as it is mounted. */
export function RemoveDocumentDialog({ space, document, onClose }: RemoveDocumentDialogProps) {
  const { t } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.documents.remove)
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [isBusy, setBusy] = useState(false)
  const names = (agents ?? [])
    .filter((agent) => agent.knowledgeSpaceIds.includes(space._id))
    .map((agent) => agent.name)
    .join(', ')

  async function confirm() {
    setBusy(true)
    try {
      await remove({ documentId: document._id })
      toast.success(t(($) => $.documents.removed, { name: document.name }))
      onClose()
    } catch {
      setBusy(false) // the toast has told; the dialog stays
    }
  }

  if (!agents) return null // the agents must be named before anything can be confirmed
  return (
    <AlertDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t(($) => $.removeDocument.title, { name: document.name })}
      description={t(($) => $.removeDocument.description)}
      cancelLabel={t(($) => $.removeDocument.cancel)}
      confirmLabel={t(($) => $.removeDocument.confirm)}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
    >
      <p>{names ? t(($) => $.removeDocument.agents, { names }) : t(($) => $.removeDocument.noAgents)}</p>
    </AlertDialog>
  )
}
