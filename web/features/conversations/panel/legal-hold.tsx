// Legal hold: nothing of a customer may be removed. Places it with a reason, shows its author, and lifts it.
import { Scale } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { LEGAL_HOLD_REASON_MAX } from '#shared/limits.ts'
import type { Contact, LiftedHold } from '#shared/messaging/contacts.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { formatDateTime } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { nameOf } from '../contact/contact.rules.ts'

type LegalHoldProps = { contact: Contact }

/** A button, or the current hold with a way to lift it. */
export function LegalHold({ contact }: LegalHoldProps) {
  const { t } = useTranslation('conversations')
  const [isAsking, setAsking] = useState(false)
  const { legalHold: hold, liftedHolds } = contact
  const close = () => setAsking(false)
  if (!hold) {
    return (
      <>
        <LiftedHolds holds={liftedHolds} />
        <Button size="sm" className="self-start" onClick={() => setAsking(true)}>
          <Scale aria-hidden="true" />
          {t(($) => $.legalHold.set)}
        </Button>
        {isAsking && <SetDialog contact={contact} onClose={close} />}
      </>
    )
  }
  const words = { at: formatDateTime(hold.at, 'date'), reason: hold.reason }
  return (
    <div className="flex flex-col items-start gap-2 rounded-lg bg-warning-soft px-3 py-2 text-warning-soft-foreground">
      <p className="max-w-full whitespace-pre-wrap break-words text-[0.8125rem]">
        {hold.by === null
          ? t(($) => $.legalHold.sinceNobody, words)
          : t(($) => $.legalHold.since, { ...words, name: hold.by })}
      </p>
      <Button size="sm" onClick={() => setAsking(true)}>
        {t(($) => $.legalHold.lift)}
      </Button>
      {isAsking && <LiftDialog contact={contact} onClose={close} />}
    </div>
  )
}

/** Past holds: their periods, and who placed and lifted them. */
function LiftedHolds({ holds }: { holds: LiftedHold[] }) {
  const { t } = useTranslation('conversations')
  if (holds.length === 0) return null
  return (
    <ul className="flex max-w-full flex-col gap-1 text-muted-foreground text-xs">
      {holds.map(({ at, by, reason, liftedAt, liftedBy }) => (
        <li key={liftedAt} className="whitespace-pre-wrap break-words">
          {t(($) => $.legalHold.was, {
            ...{ from: formatDateTime(at, 'date'), to: formatDateTime(liftedAt, 'date'), reason },
            ...{ by: by ?? t(($) => $.legalHold.somebody), liftedBy },
          })}
        </li>
      ))}
    </ul>
  )
}

function SetDialog({ contact, onClose }: LegalHoldProps & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const set = useMutation(api.conversations.contacts.setLegalHold)
  const [reason, setReason] = useState('')
  const [isBusy, setBusy] = useState(false)
  async function submit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await set({ customerId: contact._id, reason })
      toast.success(t(($) => $.legalHold.done))
      onClose()
    } catch {
      setBusy(false) // reported in a toast
    }
  }
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={t(($) => $.legalHold.title, { name: nameOf(contact) })}
        description={t(($) => $.legalHold.description)}
      >
        <form className="flex flex-col gap-4" onSubmit={(event) => void submit(event)}>
          <Field label={t(($) => $.legalHold.reason)} hint={t(($) => $.legalHold.reasonHint)} isRequired>
            <Textarea
              value={reason}
              maxLength={LEGAL_HOLD_REASON_MAX}
              onChange={({ target }) => setReason(target.value)}
            />
          </Field>
          <DialogFooter>
            <Button onClick={onClose}>{t(($) => $.legalHold.cancel)}</Button>
            <Button type="submit" variant="primary" isBusy={isBusy} disabled={!reason.trim()}>
              {t(($) => $.legalHold.confirm)}
            </Button>
          </DialogFooter>
        </form>
      </DialogContent>
    </Dialog>
  )
}

function LiftDialog({ contact, onClose }: LegalHoldProps & { onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const lift = useMutation(api.conversations.contacts.liftLegalHold)
  return (
    <ConfirmDialog
      title={t(($) => $.legalHold.liftTitle, { name: nameOf(contact) })}
      description={t(($) => $.legalHold.liftHint)}
      confirmLabel={t(($) => $.legalHold.lift)}
      onConfirm={async () => {
        await lift({ customerId: contact._id })
        toast.success(t(($) => $.legalHold.lifted))
      }}
      onClose={onClose}
      isDestructive
    />
  )
}
