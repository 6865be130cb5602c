// Restores a version of an agent with one press, and undoes that with another.
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** How long the toast offers to undo, in ms; every version stays in the list. */
const UNDO_MS = 10_000

/** `restoring`: number of the version being restored, or null. Resolves with whether it was restored. */
export function useRestore(agent: Agent): {
  restore: (number: number) => Promise<boolean>
  restoring: number | null
} {
  const { t } = useTranslation('versions')
  const mutate = useMutation(api.agents.versions.restore)
  const [restoring, setRestoring] = useState<number | null>(null)
  const bringBack = (number: number) => mutate({ agentId: agent._id, number }).catch(() => null) // reported in a toast
  async function restore(number: number): Promise<boolean> {
    const before = agent.liveVersion
    setRestoring(number)
    const restored = await bringBack(number)
    setRestoring(null)
    if (!restored) return false
    const undo = async () => {
      if (await bringBack(before)) toast.success(t(($) => $.restored, { number: before }))
    }
    toast.success(
      t(($) => $.restored, { number }),
      {
        durationMs: UNDO_MS,
        action: { label: t(($) => $.undo), onClick: () => void undo() },
      },
    )
    return true
  }
  return { restore, restoring }
}
