// The confirmation before a knowledge space is deleted: its contents, and the agents that lose it.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { KnowledgeSpace } from '#shared/knowledge/knowledge.ts'
import { SPACE_UNDO_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { TypedNameDialog } from '#web/components/typed-name-dialog.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type RemoveSpaceDialogProps = {
  space: KnowledgeSpace
  onClose: () => void
  /** Called before the deletion, for a page that must be left first. */
  onConfirmed?: () => void | Promise<void>
}

/** Open while mounted. */
export function RemoveSpaceDialog({ space, onClose, onConfirmed }: RemoveSpaceDialogProps) {
  const { t } = useTranslation('knowledge')
  const remove = useMutation(api.knowledge.spaces.remove)
  const restore = useMutation(api.knowledge.spaces.restore)
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const users = (agents ?? []).filter((agent) => agent.knowledgeSpaceIds.includes(space._id))
  const losses = [
    space.documents > 0 && t(($) => $.removeSpace.documents, { count: space.documents }),
    space.fragments > 0 && t(($) => $.removeSpace.notes, { count: space.fragments }),
    space.tables > 0 && t(($) => $.removeSpace.tables, { count: space.tables }),
    users.length > 0 &&
      t(($) => $.removeSpace.agents, { count: users.length, names: users.map((agent) => agent.name).join(', ') }),
  ].filter((loss) => loss !== false)

  async function bringBack() {
    await restore({ knowledgeSpaceId: space._id })
      .then(() => toast.success(t(($) => $.removeSpace.undone, { name: space.name })))
      .catch(() => undefined) // reported in a toast
  }

  async function confirm() {
    await onConfirmed?.()
    await remove({ knowledgeSpaceId: space._id, isConfirmed: true })
    toast.success(
      t(($) => $.removeSpace.done, { name: space.name }),
      {
        durationMs: SPACE_UNDO_MS,
        action: { label: t(($) => $.removeSpace.undo), onClick: () => void bringBack() },
      },
    )
  }

  if (!agents) return null // the agents must be listed before the user can confirm
  return (
    <TypedNameDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      name={space.name}
      title={t(($) => $.removeSpace.title, { name: space.name })}
      description={losses.length > 0 ? t(($) => $.removeSpace.description) : t(($) => $.removeSpace.nothing)}
      losses={losses}
      label={t(($) => $.removeSpace.typeName, { name: space.name })}
      confirmLabel={t(($) => $.removeSpace.confirm)}
      onConfirm={confirm}
    />
  )
}
