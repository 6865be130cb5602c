// Trying a bot out: a message to a chat, past agents and conversations.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { type ChannelConnection, TELEGRAM_CHAT_PATTERN } from '#shared/channels/channels.ts'
import { TELEGRAM_TEXT_MAX } from '#shared/limits.ts'
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
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { pageWith, useDemonstration } from '../use-demonstration.ts'

/** Closed while the bot is not connected. */
export function TelegramTestSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const send = useAction(api.channels.telegram.sendTest, { hasToast: false })
  const form = useForm({ defaultValues: { chatId: '', text: t(($) => $.telegramTest.sample) } })
  const [outcome, setOutcome] = useState<{ isSent?: boolean; failure?: string }>({})
  const { errors, isSubmitting } = form.formState
  const demonstration = useDemonstration()
  const isClosed = connection.status !== 'connected'
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
    <CardSection title={t(($) => $.telegramTest.title)} description={t(($) => $.telegramTest.body)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        {demonstration && (
          <DemonstrationHint what="chat" href={pageWith(demonstration.telegram, { bot: connection.identifier })} />
        )}
        <Field
          label={t(($) => $.telegramTest.chat)}
          hint={demonstration ? undefined : t(($) => $.telegramTest.chatHint)}
          error={errors.chatId?.message}
          isRequired
        >
          <Input
            autoComplete="off"
            placeholder="123456789"
            className="font-mono"
            {...form.register('chatId', {
              validate: (chatId) => TELEGRAM_CHAT_PATTERN.test(chatId.trim()) || t(($) => $.telegramTest.chatFormat),
            })}
          />
        </Field>
        <Field label={t(($) => $.telegramTest.text)} error={errors.text?.message} isRequired>
          <Textarea
            maxLength={TELEGRAM_TEXT_MAX}
            {...form.register('text', {
              validate: (text) => text.trim() !== '' || t(($) => $.telegramTest.textRequired),
            })}
          />
        </Field>
        {outcome.failure && <Alert tone="destructive">{outcome.failure}</Alert>}
        {outcome.isSent && <Alert tone="success">{t(($) => $.telegramTest.sent)}</Alert>}
        {isClosed && <p className="text-muted-foreground">{t(($) => $.telegramTest.closed)}</p>}
        <Button type="submit" className="self-start" isBusy={isSubmitting} disabled={isClosed}>
          {t(($) => $.telegramTest.send)}
        </Button>
      </form>
    </CardSection>
  )
}
