// The confirmation before a source is deleted from a space: it names the agents that lose it.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

type RemoveSourceDialogProps = {
  space: KnowledgeSpace
  title: string
  description: string
  confirmLabel: string
  /** Rejects when it failed and the error has been shown: the dialog stays open. */
  onRemove: () => Promise<void>
  onClose: () => void
}

/** Open while mounted. */
export function RemoveSourceDialog({ space, onRemove, onClose, ...texts }: RemoveSourceDialogProps) {
  const { t } = useTranslation('knowledge')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const names = (agents ?? [])
    .filter((agent) => agent.knowledgeSpaceIds.includes(space._id))
    .map((agent) => agent.name)
    .join(', ')
  if (!agents) return null // the agents must be listed before the user can confirm
  return (
    <ConfirmDialog
      {...texts}
      cancelLabel={t(($) => $.removeDocument.cancel)}
      onConfirm={onRemove}
      onClose={onClose}
      isDestructive
    >
      <p>{names ? t(($) => $.removeDocument.agents, { names }) : t(($) => $.removeDocument.noAgents)}</p>
    </ConfirmDialog>
  )
}
