// Shows the chosen conversations as one, and takes it back from the toast.
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { BULK_UNDO_MS, THREAD_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

type MergeButtonProps = { chosen: Conversation[]; onMerged: () => void }

/** Nothing for one conversation alone. Says before what will happen; why it cannot be is told by the server. */
export function MergeButton({ chosen, onMerged }: MergeButtonProps) {
  const { t } = useTranslation('conversations')
  const [isAsking, setAsking] = useState(false)
  if (chosen.length < 2 || chosen.length > THREAD_MAX) return null
  return (
    <>
      <Tooltip content={t(($) => $.thread.merge)}>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.thread.merge)} onClick={() => setAsking(true)}>
          <Merge />
        </Button>
      </Tooltip>
      {isAsking && <MergeDialog chosen={chosen} onMerged={onMerged} onClose={() => setAsking(false)} />}
    </>
  )
}

function MergeDialog({ chosen, onMerged, onClose }: MergeButtonProps & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const merge = useMutation(api.conversations.threads.merge)
  const separate = useMutation(api.conversations.threads.separate)
  async function confirm() {
    const { threadId, count } = await merge({ conversationIds: chosen.map(({ _id }) => _id) })
    const undo = () =>
      separate({ threadId }).then(
        () => toast.success(t(($) => $.bulk.undone)),
        () => undefined, // the toast has told
      )
    toast.success(
      t(($) => $.thread.merged, { count }),
      { durationMs: BULK_UNDO_MS, action: { label: t(($) => $.bulk.undo), onClick: () => void undo() } },
    )
    onMerged()
  }
  return (
    <ConfirmDialog
      title={t(($) => $.thread.mergeTitle, { count: chosen.length })}
      description={t(($) => $.thread.mergeHint)}
      confirmLabel={t(($) => $.thread.merge)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <ul className="flex max-h-60 flex-col gap-1 overflow-y-auto text-sm">
        {chosen.map(({ _id, customer, channel, agentName }) => (
          <li key={_id} className="break-words">
            {customer?.name || t(($) => $.list.unnamed)} · {t(($) => $.channel[channel])} · {agentName}
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  )
}
