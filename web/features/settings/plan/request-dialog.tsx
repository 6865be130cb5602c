// The dialog in which another plan or the end of the present one is asked for.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { PLAN_NOTE_MAX, type Plan, planNoteForm } from '#shared/organizations/plans.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

type RequestDialogProps = {
  /** The wanted plan; null: the present one is to end. */
  plan: Plan | null
  onClose: () => void
}

/** Open while mounted. */
export function RequestDialog({ plan, onClose }: RequestDialogProps) {
  const { t } = useTranslation('plan')
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent
        title={plan ? t(($) => $.dialog.changeTitle, { plan: plan.name }) : t(($) => $.dialog.cancelTitle)}
        description={plan ? t(($) => $.dialog.changeBody) : t(($) => $.dialog.cancelBody)}
      >
        <RequestForm plan={plan} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function RequestForm({ plan, onClose }: RequestDialogProps) {
  const { t } = useTranslation('plan')
  const change = useMutation(api.billing.requestChange)
  const cancel = useMutation(api.billing.requestCancellation)
  const form = useForm({ resolver: zodResolver(planNoteForm), defaultValues: { note: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ note }) => {
    const asking = plan ? change({ planSlug: plan.slug, note }) : cancel({ reason: note })
    const made = await asking.catch(() => null) // reported in a toast
    if (!made) return
    toast.success(t(($) => $.dialog.sent))
    onClose()
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={plan ? t(($) => $.dialog.note) : t(($) => $.dialog.reason)}
        hint={plan ? t(($) => $.dialog.noteHint) : t(($) => $.dialog.reasonHint)}
        error={errors.note && t(($) => $.dialog.noteError)}
        counter={{ used: form.watch('note').length, max: PLAN_NOTE_MAX }}
        isOptional
      >
        <Textarea className="max-h-60" {...form.register('note')} />
      </Field>
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.dialog.back)}</Button>
        <Button type="submit" variant={plan ? 'primary' : 'destructive'} isBusy={isSubmitting}>
          {plan ? t(($) => $.dialog.sendChange) : t(($) => $.dialog.sendCancellation)}
        </Button>
      </DialogFooter>
    </form>
  )
}
