// Contacts of other channels that are the same person: which were merged, merging another one, and separating them again.
import { UserRoundMinus, UserRoundPlus } from 'lucide-react'
import { useState } from 'react'
import type { Contact, MergedContact } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { nameOf } from './contact.rules.ts'
import { ContactNotes } from './contact-merge-notes.tsx'
import { MergeContactsDialog } from './merge-contacts-dialog.tsx'

/** What was noted of merged contacts is shown as it was: a separation gives it back. */
export function ContactMerge({ contact }: { contact: Contact }) {
  const { t } = useTranslation('conversations')
  const [isMerging, setMerging] = useState(false)
  const [leaving, setLeaving] = useState<MergedContact | null>(null)
  return (
    <section className="flex flex-col gap-2">
      {contact.merged.length > 0 && (
        <>
          <h3 className="font-semibold">{t(($) => $.samePerson.title)}</h3>
          <ul className="flex flex-col gap-2">
            {contact.merged.map((each) => (
              <MergedCard key={each._id} merged={each} onSeparate={() => setLeaving(each)} />
            ))}
          </ul>
        </>
      )}
      <Button size="sm" className="self-start" onClick={() => setMerging(true)}>
        <UserRoundPlus aria-hidden="true" />
        {t(($) => $.samePerson.merge)}
      </Button>
      {isMerging && <MergeContactsDialog contact={contact} onClose={() => setMerging(false)} />}
      {leaving && <SeparateDialog contact={contact} merged={leaving} onClose={() => setLeaving(null)} />}
    </section>
  )
}

function MergedCard({ merged, onSeparate }: { merged: MergedContact; onSeparate: () => void }) {
  const { t } = useTranslation('conversations')
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border border-border p-3 text-sm">
      <span className="break-words font-medium">{merged.name}</span>
      <ContactNotes {...merged} />
      <span className="text-muted-foreground text-xs">
        {merged.mergedBy && `${t(($) => $.samePerson.by, { name: merged.mergedBy })} · `}
        <DateTime at={merged.mergedAt} />
      </span>
      <Button
        size="sm"
        className="self-start"
        aria-label={t(($) => $.samePerson.separateOne, { name: merged.name })}
        onClick={onSeparate}
      >
        <UserRoundMinus aria-hidden="true" />
        {t(($) => $.samePerson.separate)}
      </Button>
    </li>
  )
}

type SeparateProps = { contact: Contact; merged: MergedContact; onClose: () => void }

function SeparateDialog({ contact, merged, onClose }: SeparateProps) {
  const { t } = useTranslation('conversations')
  const separate = useMutation(api.conversations.contacts.separate)
  const names = { name: merged.name, survivor: nameOf(contact) }
  return (
    <ConfirmDialog
      title={t(($) => $.samePerson.separateTitle, names)}
      description={t(($) => $.samePerson.separateHint, names)}
      confirmLabel={t(($) => $.samePerson.separate)}
      onConfirm={async () => {
        await separate({ customerId: merged._id })
        toast.success(t(($) => $.samePerson.separated, names))
      }}
      onClose={onClose}
    />
  )
}
