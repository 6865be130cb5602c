// Trying an account of a messenger out: a message to a chat, past agents and conversations.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { MESSENGER_TEST_TEXT_MAX } from '#shared/limits.ts'
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

type TestSectionProps = { channel: MessengerChannel; connection: ChannelConnection }

/** Closed while the account is not connected. */
export function MessengerTestSection({ channel, connection }: TestSectionProps) {
  const { t } = useTranslation('channels')
  const send = useAction(api.channels.messengers.sendTest, { hasToast: false })
  const form = useForm({ defaultValues: { chatId: '', text: t(($) => $.messenger.testSample) } })
  const [outcome, setOutcome] = useState<{ isSent?: boolean; failure?: string }>({})
  const { errors, isSubmitting } = form.formState
  const isClosed = connection.status !== 'connected'
  const { chatPattern } = messengerForm(channel)
  const submit = form.handleSubmit(async ({ chatId, text }) => {
    setOutcome({})
    try {
      await send({ connectionId: connection._id, chatId: chatId.trim(), text: text.trim() })
      setOutcome({ isSent: true })
    } catch (error) {
      setOutcome({ failure: describeError(error).message })
    }
  })
  return (
    <CardSection title={t(($) => $.messenger.testTitle)} description={t(($) => $.messenger.testBody)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field
          label={t(($) => $.messengers[channel].chat)}
          hint={t(($) => $.messengers[channel].chatHint)}
          error={errors.chatId?.message}
          isRequired
        >
          <Input
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
            {...form.register('chatId', {
              validate: (chatId) => chatPattern.test(chatId.trim()) || t(($) => $.messengers[channel].chatWrong),
            })}
          />
        </Field>
        <Field label={t(($) => $.messenger.testText)} error={errors.text?.message} isRequired>
          <Textarea
            maxLength={MESSENGER_TEST_TEXT_MAX}
            {...form.register('text', {
              validate: (text) => text.trim() !== '' || t(($) => $.messenger.testTextRequired),
            })}
          />
        </Field>
        {outcome.failure && <Alert tone="destructive">{outcome.failure}</Alert>}
        {outcome.isSent && <Alert tone="success">{t(($) => $.messenger.testSent)}</Alert>}
        {isClosed && <p className="text-muted-foreground">{t(($) => $.messenger.testClosed)}</p>}
        <Button type="submit" className="self-start" isBusy={isSubmitting} disabled={isClosed}>
          {t(($) => $.messenger.testSend)}
        </Button>
      </form>
    </CardSection>
  )
}
