// What a customer may ask of the team: all that is kept of them, or that nothing is.
import { Download, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import type { Contact } from '#shared/messaging/contacts.ts'
import type { ErasureCounts } from '#shared/messaging/retention.ts'
import { api } from '#web/api.ts'
import { TypedNameDialog } from '#web/components/typed-name-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { saveFile } from '#web/lib/server/use-file.ts'
import { toast } from '#web/lib/toast.ts'
import { LegalHold } from '../panel/legal-hold.tsx'
import { nameOf } from './contact.rules.ts'

const LOSSES = ['conversations', 'messages', 'files', 'notes'] as const

/** Erasing is asked for twice, and not offered while nothing may be removed. */
export function ContactData({ contact }: { contact: Contact }) {
  const { t } = useTranslation('conversations')
  const [isErasing, setErasing] = useState(false)
  const [isSaving, setSaving] = useState(false)
  async function save() {
    setSaving(true)
    await saveFile(`/api/files/customers/${contact._id}`).catch(toast.failure)
    setSaving(false)
  }
  return (
    <section className="flex flex-col gap-2">
      <h3 className="font-semibold">{t(($) => $.contactData.title)}</h3>
      <p className="text-muted-foreground text-xs">{t(($) => $.contactData.hint)}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="sm" isBusy={isSaving} onClick={() => void save()}>
          <Download aria-hidden="true" />
          {t(($) => $.contactData.save)}
        </Button>
        {!contact.legalHold && (
          <Button size="sm" onClick={() => setErasing(true)}>
            <Trash2 aria-hidden="true" />
            {t(($) => $.contactData.erase)}
          </Button>
        )}
      </div>
      <LegalHold contact={contact} />
      {isErasing && <EraseDialog contact={contact} onClose={() => setErasing(false)} />}
    </section>
  )
}

function EraseDialog({ contact, onClose }: { contact: Contact; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const navigate = useNavigate()
  const customerId = contact._id
  const counts: ErasureCounts | undefined = useQuery(api.conversations.contacts.erasure, { customerId })
  const erase = useMutation(api.conversations.contacts.erase)
  const name = nameOf(contact)
  return (
    <TypedNameDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      name={name}
      title={t(($) => $.contactData.title2, { name })}
      description={t(($) => $.contactData.description)}
      losses={
        counts
          ? [
              ...LOSSES.filter((kind) => counts[kind] > 0).map((kind) =>
                t(($) => $.contactData.losses[kind], { count: counts[kind] }),
              ),
              t(($) => $.contactData.losses.exports),
            ]
          : []
      }
      label={t(($) => $.contactData.typeName, { name })}
      confirmLabel={t(($) => $.contactData.confirm)}
      onConfirm={async () => {
        void navigate(paths.chats) // the conversation that is open is not there any more in a moment
        await erase({ customerId })
        toast.success(t(($) => $.contactData.erased))
      }}
    />
  )
}
