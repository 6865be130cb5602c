// The question before a table is deleted: which agents can no longer answer from it.
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge.ts'
import type { DataTable } from '#shared/tables.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { useMutation, useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

type RemoveTableDialogProps = { space: KnowledgeSpace; table: DataTable; onClose: () => void }

/** Open as long as it is mounted. */
export function RemoveTableDialog({ space, table, onClose }: RemoveTableDialogProps) {
  const { t } = useTranslation('tables')
  const { t: tKnowledge } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.tables.remove)
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [isBusy, setBusy] = useState(false)
  const names = (agents ?? [])
    .filter((agent) => agent.knowledgeSpaceIds.includes(space._id))
    .map((agent) => agent.name)
    .join(', ')

  async function confirm() {
    setBusy(true)
    try {
      await remove({ tableId: table._id })
      toast.success(t(($) => $.remove.done, { name: table.name }))
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
      title={t(($) => $.remove.title, { name: table.name })}
      description={t(($) => $.remove.description)}
      cancelLabel={tKnowledge(($) => $.removeDocument.cancel)}
      confirmLabel={t(($) => $.remove.confirm)}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
    >
      <p>
        {names ? tKnowledge(($) => $.removeDocument.agents, { names }) : tKnowledge(($) => $.removeDocument.noAgents)}
      </p>
    </AlertDialog>
  )
}
