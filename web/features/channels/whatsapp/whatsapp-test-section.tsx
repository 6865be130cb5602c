// Trying a number out: a message to a phone, past agents and conversations.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ChannelConnection, isFrozen, PHONE_PATTERN } from '#shared/channels/channels.ts'
import { WHATSAPP_TEST_TEXT_MAX } from '#shared/limits.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'

/** Closed while the account may not send. */
export function WhatsappTestSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const sends = {
    whatsapp: useAction(api.channels.whatsapp.sendTest, { hasToast: false }),
    whatsappCloud: useAction(api.channels.whatsappCloud.sendTest, { hasToast: false }),
  }
  const send = sends[connection.channel === 'whatsappCloud' ? 'whatsappCloud' : 'whatsapp']
  const form = useForm({ defaultValues: { phone: '', text: t(($) => $.whatsappTest.sample) } })
  const [outcome, setOutcome] = useState<{ sentTo?: string; failure?: string }>({})
  const { errors, isSubmitting } = form.formState
  const isClosed = isFrozen(connection.accountState)
  const submit = form.handleSubmit(async ({ phone, text }) => {
    setOutcome({})
    try {
      await send({ connectionId: connection._id, phone: phone.trim(), text: text.trim() })
      setOutcome({ sentTo: phone.trim() })
    } catch (error) {
      setOutcome({ failure: describeError(error).message })
    }
  })
  return (
    <CardSection title={t(($) => $.whatsappTest.title)} description={t(($) => $.whatsappTest.body)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field
          label={t(($) => $.whatsappTest.phone)}
          hint={t(($) => $.whatsappTest.phoneHint)}
          error={errors.phone?.message}
          isRequired
        >
          <Input
            type="tel"
            autoComplete="off"
            placeholder="+7 700 123 45 67"
            {...form.register('phone', {
              validate: (phone) => PHONE_PATTERN.test(phone.trim()) || t(($) => $.whatsappTest.phoneFormat),
            })}
          />
        </Field>
        <Field label={t(($) => $.whatsappTest.text)} error={errors.text?.message} isRequired>
          <Textarea
            maxLength={WHATSAPP_TEST_TEXT_MAX}
            {...form.register('text', {
              validate: (text) => text.trim() !== '' || t(($) => $.whatsappTest.textRequired),
            })}
          />
        </Field>
        {outcome.failure && <Alert tone="destructive">{outcome.failure}</Alert>}
        {outcome.sentTo && <Alert tone="success">{t(($) => $.whatsappTest.sent, { phone: outcome.sentTo })}</Alert>}
        <Button type="submit" className="self-start" isBusy={isSubmitting} disabled={isClosed}>
          {t(($) => $.whatsappTest.send)}
        </Button>
      </form>
    </CardSection>
  )
}
