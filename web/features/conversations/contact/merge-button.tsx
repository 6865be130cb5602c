// Shows the chosen conversations as one, and their contacts where they are of two; takes it back from the toast, and says which were left
// out and why.

import { Merge } from 'lucide-react'
import { useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import type { Conversation, Refused } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useThreads } from '../panel/use-threads.ts'

type MergeButtonProps = {
  ids: Conversation['_id'][]
  /** Those of them that are known here. */
  chosen: Conversation[]
  /** Hears how many of them were merged, and the others, which could not be. */
  onMerged: (updated: number, failures: Refused[]) => void
}

/**
 * Renders nothing for a single conversation, and for those of more than two contacts. Asks for confirmation first, also whether two contacts
 * are one person. For conversations not loaded here the server refuses.
 */
export function MergeButton({ ids, chosen, onMerged }: MergeButtonProps) {
  const { t } = useTranslation('conversations')
  const [isAsking, setAsking] = useState(false)
  if (ids.length < 2 || ids.length > THREAD_MAX || contactsOf(chosen).length > 2) return null
  return (
    <>
      <Tooltip content={t(($) => $.thread.merge)}>
        <Button variant="ghost" size="icon" aria-label={t(($) => $.thread.merge)} onClick={() => setAsking(true)}>
          <Merge />
        </Button>
      </Tooltip>
      {isAsking && <MergeDialog ids={ids} chosen={chosen} onMerged={onMerged} onClose={() => setAsking(false)} />}
    </>
  )
}

/** Asks about what was chosen when it was opened, whatever leaves the list meanwhile. */
function MergeDialog({ onMerged, onClose, ...now }: MergeButtonProps & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const { merge } = useThreads()
  const mergeContacts = useMutation(api.conversations.contacts.merge)
  const [{ ids, chosen }] = useState(now)
  const count = ids.length
  const number = formatNumber(count)
  const others = ids.length - chosen.length
  const [first, second] = contactsOf(chosen)
  async function confirm() {
    if (first && second) await mergeContacts({ survivorId: first.contactId, otherId: second.contactId })
    const refused = await merge(ids)
    onMerged(ids.length - refused.length, refused)
  }
  return (
    <ConfirmDialog
      title={t(($) => $.thread.mergeTitle, { count, number })}
      description={t(($) => $.thread.mergeHint)}
      confirmLabel={t(($) => $.thread.merge)}
      working={t(($) => $.thread.merging, { count, number })}
      onConfirm={confirm}
      onClose={onClose}
    >
      {first && second && (
        <p className="text-sm">{t(($) => $.thread.twoContacts, { first: first.name, second: second.name })}</p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1) */}
      <ul tabIndex={0} className="flex max-h-60 flex-col gap-1 overflow-y-auto text-sm">
        {chosen.map(({ _id, customer, channel, agentName }) => (
          <li key={_id} className="break-words">
            {customer?.name || t(($) => $.list.unnamed)} · {channelName(channel, currentLanguage())} · {agentName}
          </li>
        ))}
        {others > 0 && (
          <li className="text-muted-foreground">{t(($) => $.thread.mergeOthers, { number: formatNumber(others) })}</li>
        )}
      </ul>
    </ConfirmDialog>
  )
}

/** The contacts of these conversations, each once. */
function contactsOf(chosen: Conversation[]) {
  const known = chosen.flatMap(({ customer }) => (customer ? [[customer.contactId, customer] as const] : []))
  return [...new Map(known).values()]
}
