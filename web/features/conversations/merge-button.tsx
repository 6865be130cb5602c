// Shows the chosen conversations as one, takes it back from the toast, and says which were left out and why.
import { Merge } from 'lucide-react'
import { useState } from 'react'
import type { Conversation, Refused } from '#shared/conversations.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useThreads } from './use-threads.ts'

/** `onMerged`: how many of the chosen were merged, and the others, which could not be. */
type MergeButtonProps = { chosen: Conversation[]; onMerged: (updated: number, failures: Refused[]) => void }

/** Nothing for one conversation alone. Says before what will happen; of which contact they must be is told by the server. */
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
  const { merge } = useThreads()
  async function confirm() {
    const refused = await merge(chosen.map(({ _id }) => _id))
    onMerged(chosen.length - refused.length, refused)
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
