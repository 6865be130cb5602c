// Linking a phone without a camera: a code that is typed on it.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ChannelConnection, PHONE_PATTERN } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useAction } from '#web/lib/convex.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Folded until somebody wants it. The code is good for about two and a half minutes. */
export function PhoneCodeForm({ connectionId }: { connectionId: ChannelConnection['_id'] }) {
  const { t } = useTranslation('channels')
  const askCode = useAction(api.channels.whatsapp.phoneCode, { hasToast: false })
  const form = useForm({ defaultValues: { phone: '' } })
  const [answer, setAnswer] = useState<{ code?: string; failure?: string }>({})
  const submit = form.handleSubmit(async ({ phone }) => {
    try {
      setAnswer(await askCode({ connectionId, phone: phone.trim() }))
    } catch (error) {
      setAnswer({ failure: describeError(error).message })
    }
  })
  const { errors, isSubmitting } = form.formState
  return (
    <details className="rounded-lg border border-border px-4 py-3">
      <summary className="cursor-pointer font-medium">{t(($) => $.whatsappLink.byCode)}</summary>
      <form noValidate onSubmit={submit} className="mt-4 flex flex-col gap-4">
        <Field
          label={t(($) => $.whatsappLink.phone)}
          hint={t(($) => $.whatsappLink.byCodeHint)}
          error={errors.phone?.message}
          isRequired
        >
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+7 700 123 45 67"
            {...form.register('phone', {
              validate: (phone) => PHONE_PATTERN.test(phone.trim()) || t(($) => $.whatsappTest.phoneFormat),
            })}
          />
        </Field>
        {answer.failure && <Alert tone="destructive">{answer.failure}</Alert>}
        {answer.code && (
          <p role="status" className="flex items-center gap-2 rounded-lg bg-muted px-4 py-3">
            <output className="font-mono font-semibold text-lg tracking-widest">{answer.code}</output>
            <CopyButton text={answer.code} className="ms-auto" />
          </p>
        )}
        <Button type="submit" className="self-start" isBusy={isSubmitting}>
          {t(($) => $.whatsappLink.getCode)}
        </Button>
      </form>
    </details>
  )
}
