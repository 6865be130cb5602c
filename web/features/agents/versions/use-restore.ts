// Brings a version of an agent back in one press, and takes that back in another.
import { useState } from 'react'
import type { Agent } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** Time to change one's mind by the button of the toast, milliseconds; after that the list still has every version. */
const UNDO_MS = 10_000

/** `restoring`: number of the version that is being brought back; null: none. Resolves with whether it was. */
export function useRestore(agent: Agent): {
  restore: (number: number) => Promise<boolean>
  restoring: number | null
} {
  const { t } = useTranslation('versions')
  const mutate = useMutation(api.agents.versions.restore)
  const [restoring, setRestoring] = useState<number | null>(null)
  const bringBack = (number: number) => mutate({ agentId: agent._id, number }).catch(() => null) // the toast has told
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
