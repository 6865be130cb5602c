// The question how long the agent is to be silent.
import { useState } from 'react'
import type { Conversation } from '#shared/conversations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useMutation } from '#web/lib/convex.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { durationText, PAUSE_CHOICES } from './pause.rules.ts'

/** Stands for "only by hand" in the list. */
const BY_HAND = 'by-hand'

/** Open as long as it is mounted. Only by hand unless a time is chosen. */
export function PauseDialog({ conversation, onClose }: { conversation: Conversation; onClose: () => void }) {
  const { t } = useTranslation('conversations')
  const pause = useMutation(api.conversations.pause)
  const [choice, setChoice] = useState(BY_HAND)
  const [isBusy, setBusy] = useState(false)
  const options = PAUSE_CHOICES.map((milliseconds) =>
    milliseconds === null
      ? { value: BY_HAND, label: t(($) => $.pause.never) }
      : {
          value: String(milliseconds),
          label: t(($) => $.pause.in, { duration: durationText(milliseconds, currentLanguage()) }),
        },
  )

  async function confirm() {
    setBusy(true)
    try {
      await pause({
        conversationId: conversation._id,
        ...(choice !== BY_HAND && { resumeAfterMs: Number(choice) }),
      })
      toast.success(t(($) => $.pause.done))
      onClose()
    } catch {
      setBusy(false) // the toast has told; the dialog stays
    }
  }

  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={t(($) => $.pause.title)} description={t(($) => $.pause.description)} className="max-w-md">
        <Field label={t(($) => $.pause.until)}>
          <Select value={choice} onValueChange={setChoice} options={options} />
        </Field>
        <DialogFooter>
          <Button onClick={onClose}>{t(($) => $.pause.cancel)}</Button>
          <Button variant="primary" isBusy={isBusy} onClick={confirm}>
            {t(($) => $.pause.confirm)}
          </Button>
        </DialogFooter>
      </DialogContent>
    </Dialog>
  )
}
