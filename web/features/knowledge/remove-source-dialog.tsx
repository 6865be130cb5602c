// The question before something is deleted from a space: which agents can no longer answer from it.
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge.ts'
import { api } from '#web/api.ts'
import { AlertDialog } from '#web/components/ui/alert-dialog.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type RemoveSourceDialogProps = {
  space: KnowledgeSpace
  title: string
  description: string
  confirmLabel: string
  /** Rejects when it could not be removed, after the person was told: the dialog stays. */
  onRemove: () => Promise<void>
  onClose: () => void
}

/** Open as long as it is mounted. */
export function RemoveSourceDialog({ space, onRemove, onClose, ...texts }: RemoveSourceDialogProps) {
  const { t } = useTranslation('knowledge')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [isBusy, setBusy] = useState(false)
  const names = (agents ?? [])
    .filter((agent) => agent.knowledgeSpaceIds.includes(space._id))
    .map((agent) => agent.name)
    .join(', ')

  async function confirm() {
    setBusy(true)
    try {
      await onRemove()
      onClose()
    } catch {
      setBusy(false)
    }
  }

  if (!agents) return null // the agents must be named before anything can be confirmed
  return (
    <AlertDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      {...texts}
      cancelLabel={t(($) => $.removeDocument.cancel)}
      onConfirm={confirm}
      isDestructive
      isBusy={isBusy}
    >
      <p>{names ? t(($) => $.removeDocument.agents, { names }) : t(($) => $.removeDocument.noAgents)}</p>
    </AlertDialog>
  )
}
