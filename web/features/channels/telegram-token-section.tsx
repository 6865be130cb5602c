// Giving a bot another token, when the old one has leaked or was revoked.
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { BOT_TOKEN_PATTERN, type ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useAction } from '#web/lib/convex.ts'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'

/** The new token is checked with Telegram; what is wrong with it shows under the field. */
export function TelegramTokenSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const rotate = useAction(api.channels.telegram.rotate, { hasToast: false })
  const form = useForm({ defaultValues: { botToken: '' } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ botToken }) => {
    setFailure(undefined)
    try {
      await rotate({ connectionId: connection._id, botToken: botToken.trim() })
      form.reset()
      toast.success(t(($) => $.telegramToken.replaced))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <CardSection title={t(($) => $.telegramToken.title)} description={t(($) => $.telegramToken.body)}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-5">
        <Field
          label={t(($) => $.telegramToken.label)}
          hint={t(($) => $.setup.tokenHint)}
          error={errors.botToken?.message}
          isRequired
        >
          <Input
            autoComplete="off"
            spellCheck={false}
            placeholder={t(($) => $.setup.tokenPlaceholder)}
            className="font-mono"
            {...form.register('botToken', {
              validate: (token) => {
                if (token.trim() === '') return t(($) => $.setup.tokenRequired)
                return BOT_TOKEN_PATTERN.test(token.trim()) || t(($) => $.setup.tokenFormat)
              },
            })}
          />
        </Field>
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" className="self-start" isBusy={isSubmitting}>
          {t(($) => $.telegramToken.replace)}
        </Button>
      </form>
    </CardSection>
  )
}
