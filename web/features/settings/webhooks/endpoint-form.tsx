// What an endpoint is: where events go, which, and how fast.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { WEBHOOK_PER_MINUTE_MAX } from '#shared/webhooks/webhook-limits.ts'
import { OFFERED_TYPES, type WebhookEndpoint, webhookSettings } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { DialogFooter } from '#web/components/ui/dialog.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { type DescribedError, describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { TypeChoices } from './type-choices.tsx'

type EndpointFormProps = {
  endpoint: WebhookEndpoint | undefined
  onMade: (secret: string) => void
  onClose: () => void
}

const NEW = { url: '', description: '', types: [...OFFERED_TYPES], perMinute: null }

/** A refusal stays in the form. */
export function EndpointForm({ endpoint, onMade, onClose }: EndpointFormProps) {
  const { t } = useTranslation(['webhooks', 'common'])
  const [create, update] = [
    useAction(api.webhooks.create, { hasToast: false }),
    useAction(api.webhooks.update, { hasToast: false }),
  ]
  const [failure, setFailure] = useState<DescribedError | null>(null)
  const { url, description, types, perMinute } = endpoint ?? NEW
  const form = useForm({
    resolver: zodResolver(webhookSettings),
    defaultValues: { url, description, types, perMinute },
  })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async (settings) => {
    setFailure(null)
    try {
      if (!endpoint) return onMade((await create(settings)).secret)
      await update({ endpointId: endpoint._id, ...settings })
      toast.success(t(($) => $.saved))
      onClose()
    } catch (error) {
      setFailure(describeError(error))
    }
  })
  const isAboutAddress = failure?.code.startsWith('webhook_url') ?? false
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-5">
      <Field
        label={t(($) => $.url)}
        hint={t(($) => $.urlHint)}
        error={isAboutAddress ? failure?.message : errors.url && t(($) => $.urlRequired)}
        isRequired
      >
        <Input type="url" autoComplete="off" spellCheck={false} placeholder="https://" {...form.register('url')} />
      </Field>
      <Field label={t(($) => $.name)} hint={t(($) => $.nameHint)} error={errors.description && t(($) => $.nameTooLong)}>
        <Input autoComplete="off" {...form.register('description')} />
      </Field>
      <Controller
        control={form.control}
        name="types"
        render={({ field: { value, onChange } }) => (
          <TypeChoices chosen={value} onChange={onChange} error={errors.types && t(($) => $.typesRequired)} />
        )}
      />
      <Controller
        control={form.control}
        name="perMinute"
        render={({ field: { onChange, ...field } }) => (
          <Field
            label={t(($) => $.perMinute)}
            hint={t(($) => $.perMinuteHint)}
            error={errors.perMinute && t(($) => $.perMinuteError, { max: WEBHOOK_PER_MINUTE_MAX })}
          >
            <NumberInput className="sm:w-56" {...field} onValueChange={onChange} />
          </Field>
        )}
      />
      {failure && !isAboutAddress && <Alert tone="destructive">{failure.message}</Alert>}
      <DialogFooter>
        <Button onClick={onClose}>{t(($) => $.action.cancel, { ns: 'common' })}</Button>
        <Button type="submit" variant="primary" isBusy={isSubmitting}>
          {t(($) => (endpoint ? $.save : $.create))}
        </Button>
      </DialogFooter>
    </form>
  )
}
