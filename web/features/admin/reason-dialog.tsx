// A question whose answer needs a reason, which others will read.
import { zodResolver } from '@hookform/resolvers/zod'
import { type ReactNode, useState } from 'react'
import { useForm } from 'react-hook-form'
import { reasonForm } from '#shared/organizations/admin.ts'
import { ADMIN_REASON_MAX } from '#shared/organizations/support.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Dialog, DialogContent, DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeError } from '#web/lib/errors.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

type ReasonDialogProps = {
  title: string
  /** What will happen. */
  description: string
  /** Who will read the reason. */
  hint: string
  confirmLabel: string
  /** Left out: what is confirmed does harm. */
  variant?: 'primary' | 'destructive'
  /** More to choose, under the reason. */
  children?: ReactNode
  /** Its failures are shown in the dialog, which stays open. */
  onConfirm: (reason: string) => Promise<unknown>
  onClose: () => void
}

/** Open while mounted. */
export function ReasonDialog({ title, description, onClose, ...form }: ReasonDialogProps) {
  return (
    <Dialog open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <DialogContent title={title} description={description}>
        <ReasonForm {...form} onClose={onClose} />
      </DialogContent>
    </Dialog>
  )
}

function ReasonForm(props: Omit<ReasonDialogProps, 'title' | 'description'>) {
  const { hint, confirmLabel, variant = 'destructive', children, onConfirm, onClose } = props
  const { t } = useTranslation(['admin', 'common'])
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm({ resolver: zodResolver(reasonForm), defaultValues: { reason: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ reason }) => {
    setFailure(null)
    try {
      await onConfirm(reason)
      onClose()
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.reason.label)}
        hint={hint}
        error={errors.reason && t(($) => $.reason.error, { max: formatNumber(ADMIN_REASON_MAX) })}
        counter={{ used: form.watch('reason').trim().length, max: ADMIN_REASON_MAX }}
        isRequired
      >
        <Textarea className="max-h-60" {...form.register('reason')} />
      </Field>
      {children}
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant={variant} isBusy={isSubmitting}>
          {confirmLabel}
        </Button>
      </DialogFooter>
    </form>
  )
}
