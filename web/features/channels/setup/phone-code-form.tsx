// Linking a phone without a camera, with a code that is typed on it.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ChannelConnection, PHONE_PATTERN } from '#shared/channels/channels.ts'
import { WHATSAPP_PHONE_CODE_MS } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { Countdown, usePassed } from './countdown.tsx'

/** Collapsed until the user opens it. The code is valid for about two and a half minutes. */
export function PhoneCodeForm({ connectionId }: { connectionId: ChannelConnection['_id'] }) {
  const { t } = useTranslation('channels')
  const askCode = useAction(api.channels.whatsapp.phoneCode, { hasToast: false })
  const form = useForm({ defaultValues: { phone: '' } })
  const [answer, setAnswer] = useState<{ code?: string; until?: number; failure?: string }>({})
  const submit = form.handleSubmit(async ({ phone }) => {
    try {
      const { code } = await askCode({ connectionId, phone: phone.trim() })
      setAnswer({ code, until: Date.now() + WHATSAPP_PHONE_CODE_MS })
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
        {answer.code && answer.until && <PhoneCode code={answer.code} until={answer.until} />}
        <Button type="submit" className="self-start" isBusy={isSubmitting}>
          {t(($) => $.whatsappLink.getCode)}
        </Button>
      </form>
    </details>
  )
}

/** The code, while it is valid. */
function PhoneCode({ code, until }: { code: string; until: number }) {
  const { t } = useTranslation('channels')
  if (usePassed(until)) return <Alert tone="warning">{t(($) => $.whatsappLink.expired)}</Alert>
  return (
    <div className="flex flex-col gap-2">
      <p role="status" className="flex items-center gap-2 rounded-lg bg-muted px-4 py-3">
        <output className="font-mono font-semibold text-lg tracking-widest">{code}</output>
        <CopyButton text={code} className="ms-auto" />
      </p>
      <Countdown until={until} totalMs={WHATSAPP_PHONE_CODE_MS} label={t(($) => $.whatsappLink.codeLabel)}>
        {(seconds) => t(($) => $.whatsappLink.codeLeft, { seconds })}
      </Countdown>
    </div>
  )
}
