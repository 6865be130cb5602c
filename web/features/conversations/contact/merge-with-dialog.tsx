// The dialog that merges the open conversation with others of the same contact.
import { useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact } from '#shared/messaging/contacts.ts'
import type { Conversation, Refused } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { describeCode } from '#web/lib/errors.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useThreads } from '../panel/use-threads.ts'

type MergeWithDialogProps = { conversation: Conversation; customerId: Id<'customers'>; onClose: () => void }
type Other = Contact['conversations'][number]

/** Open while mounted. */
export function MergeWithDialog({ conversation, customerId, onClose }: MergeWithDialogProps) {
  const { t } = useTranslation('conversations')
  const contact: Contact | undefined = useQuery(api.conversations.contacts.get, { customerId })
  const shown = new Set(conversation.thread?.parts.map(({ _id }) => _id) ?? [conversation._id])
  const others = contact?.conversations.filter(({ _id }) => !shown.has(_id))
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.thread.withTitle)} description={t(($) => $.thread.mergeHint)}>
        {others === undefined && (
          <Delayed>
            <Skeleton className="h-24" />
          </Delayed>
        )}
        {others?.length === 0 && (
          <>
            <p className="text-sm">{t(($) => $.thread.withNone)}</p>
            <DialogFooter>
              <Button onClick={onClose}>{t(($) => $.thread.close)}</Button>
            </DialogFooter>
          </>
        )}
        {others && others.length > 0 && <Choice conversation={conversation} others={others} onClose={onClose} />}
      </DialogContent>
    </Dialog>
  )
}

type ChoiceProps = { conversation: Conversation; others: Other[]; onClose: () => void }

/** A single candidate is preselected. Refusals are shown here; the others are merged. */
function Choice({ conversation, others, onClose }: ChoiceProps) {
  const { t } = useTranslation('conversations')
  const { merge } = useThreads()
  const [chosen, setChosen] = useState(() => (others.length === 1 ? others.map(({ _id }) => _id) : []))
  const [refused, setRefused] = useState<Refused[]>([])
  const [isBusy, setBusy] = useState(false)
  const choose = (id: Other['_id'], isOn: boolean) =>
    setChosen((before) => (isOn ? [...before, id] : before.filter((each) => each !== id)))
  async function confirm() {
    setBusy(true)
    try {
      const left = await merge([conversation._id, ...chosen])
      if (left.length === 0) return onClose()
      setRefused(left)
      setChosen([])
    } catch {
      // Reported in a toast.
    }
    setBusy(false)
  }
  return (
    <>
      <fieldset className="flex max-h-80 flex-col gap-1 overflow-y-auto">
        <legend className="sr-only">{t(($) => $.thread.withLegend)}</legend>
        {others.map((other) => (
          <OtherChoice
            key={other._id}
            other={other}
            isChosen={chosen.includes(other._id)}
            refusal={refused.find(({ conversationId }) => conversationId === other._id)}
            onChoose={(isOn) => choose(other._id, isOn)}
          />
        ))}
      </fieldset>
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.thread.close)}</Button>
        <Button variant="primary" isBusy={isBusy} disabled={chosen.length === 0} onClick={() => void confirm()}>
          {t(($) => $.thread.merge)}
        </Button>
      </DialogFooter>
    </>
  )
}

type OtherChoiceProps = {
  other: Other
  isChosen: boolean
  refusal: Refused | undefined
  onChoose: (isOn: boolean) => void
}

function OtherChoice({ other, isChosen, refusal, onChoose }: OtherChoiceProps) {
  const { t } = useTranslation('conversations')
  return (
    <label className="flex min-h-10 items-start gap-3 rounded-lg px-3 py-2 text-sm hover:bg-accent pointer-coarse:min-h-11">
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-primary"
        checked={isChosen}
        onChange={({ target }) => onChoose(target.checked)}
      />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="break-words font-medium">
          {channelName(other.channel, currentLanguage())} · {other.agentName}
        </span>
        <span className="text-muted-foreground text-xs">
          {t(($) => $.status[other.status])} · <DateTime at={other.lastMessageAt} />
        </span>
        {refusal && <span role="alert">{describeCode(refusal.error)}</span>}
      </span>
    </label>
  )
}
