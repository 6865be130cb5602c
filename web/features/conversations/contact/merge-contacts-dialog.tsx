// The dialog that finds another contact of the same person, compares both, and chooses which of them remains.
import { useState } from 'react'
import { channelName } from '#shared/channels/manifests.ts'
import type { Id } from '#shared/ids.ts'
import type { Contact } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { nameOf } from './contact.rules.ts'
import { ContactFinder } from './contact-finder.tsx'
import { ContactNotes } from './contact-merge-notes.tsx'

type CustomerId = Id<'customers'>
type MergeContactsDialogProps = { contact: Contact; onClose: () => void }

/** Open while mounted. */
export function MergeContactsDialog({ contact, onClose }: MergeContactsDialogProps) {
  const { t } = useTranslation('conversations')
  const [otherId, setOtherId] = useState<CustomerId | null>(null)
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.samePerson.mergeTitle, { name: nameOf(contact) })}
        description={t(($) => $.samePerson.mergeHint)}
        className="max-w-2xl"
      >
        {otherId === null ? (
          <ContactFinder without={contact._id} onFound={setOtherId} />
        ) : (
          <Comparison contact={contact} otherId={otherId} onBack={() => setOtherId(null)} onClose={onClose} />
        )}
      </DialogContent>
    </Dialog>
  )
}

type ComparisonProps = MergeContactsDialogProps & { otherId: CustomerId; onBack: () => void }

function Comparison({ contact, otherId, onBack, onClose }: ComparisonProps) {
  const { t } = useTranslation('conversations')
  const other: Contact | undefined = useQuery(api.conversations.contacts.get, { customerId: otherId })
  const merge = useMutation(api.conversations.contacts.merge)
  const [survivorId, setSurvivorId] = useState<CustomerId>(contact._id)
  const [isBusy, setBusy] = useState(false)
  if (!other) {
    return (
      <Delayed>
        <Skeleton className="h-40" />
      </Delayed>
    )
  }
  const both = [contact, other]
  async function confirm() {
    setBusy(true)
    try {
      await merge({ survivorId, otherId: survivorId === otherId ? contact._id : otherId })
      toast.success(t(($) => $.samePerson.merged))
      onClose()
    } catch {
      setBusy(false) // reported in a toast
    }
  }
  return (
    <>
      <RadioGroup
        label={t(($) => $.samePerson.survivor)}
        value={survivorId}
        onValueChange={(id) => setSurvivorId(id as CustomerId)}
        className="items-start sm:grid-cols-2"
        options={both.map((each) => ({
          value: each._id,
          label: <span className="break-words">{nameOf(each)}</span>,
          hint: <Summary contact={each} isSurvivor={each._id === survivorId} />,
        }))}
      />
      <DialogFooter>
        <Button onClick={onBack}>{t(($) => $.samePerson.back)}</Button>
        <Button variant="primary" isBusy={isBusy} onClick={() => void confirm()}>
          {t(($) => $.samePerson.confirm)}
        </Button>
      </DialogFooter>
    </>
  )
}

function Summary({ contact, isSurvivor }: { contact: Contact; isSurvivor: boolean }) {
  const { t } = useTranslation('conversations')
  return (
    <span className="flex min-w-0 flex-col gap-1.5 pt-1">
      <span>{isSurvivor ? t(($) => $.samePerson.stays) : t(($) => $.samePerson.joins)}</span>
      {contact.identifiers.map(({ channel, connection, externalId, username }) => (
        <span key={`${channel} ${connection} ${externalId}`} className="break-all">
          {channelName(channel, currentLanguage())} · {username ? `@${username}` : externalId}
        </span>
      ))}
      <span>{t(($) => $.samePerson.conversations, { count: contact.conversations.length })}</span>
      <ContactNotes {...contact} />
    </span>
  )
}
