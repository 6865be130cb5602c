// The decisions on a proposed note, with undo.
import { useState } from 'react'
import type { Id } from '#shared/ids.ts'
import { SPACE_UNDO_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type Approval = { question: string; answer: string; replaces: boolean }

/** `busy`: the decision being saved. `onDecided` is called once it is saved. */
export function useDecisions(proposalId: Id<'knowledgeProposals'>, onDecided: () => void) {
  const { t } = useTranslation('proposals')
  const approve = useMutation(api.knowledge.proposals.approve)
  const reject = useMutation(api.knowledge.proposals.reject)
  const reopen = useMutation(api.knowledge.proposals.reopen)
  const [busy, setBusy] = useState<'add' | 'replace' | 'reject' | null>(null)

  async function decide(decision: NonNullable<typeof busy>, work: () => Promise<unknown>) {
    if (busy) return
    setBusy(decision)
    try {
      await work()
      const undo = () => void reopen({ proposalId }).catch(() => undefined) // reported in a toast
      toast.success(
        t(($) => $.done[decision]),
        { durationMs: SPACE_UNDO_MS, action: { label: t(($) => $.undo), onClick: undo } },
      )
      onDecided()
    } catch {
      setBusy(null) // reported in a toast; the text is kept
    }
  }

  return {
    busy,
    approve: (approval: Approval) =>
      decide(approval.replaces ? 'replace' : 'add', () => approve({ proposalId, ...approval })),
    reject: () => decide('reject', () => reject({ proposalId })),
  }
}
