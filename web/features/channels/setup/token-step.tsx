// Second step: the bot's token, with the way to get one.
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { BOT_TOKEN_PATTERN, type ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { pageWith, useDemonstration } from '../use-demonstration.ts'

type TokenStepProps = { agent: AgentSummary; onBack: () => void; onConnected: (connection: ChannelConnection) => void }

/** The token is checked with Telegram; what is wrong with it shows under the field. */
export function TokenStep({ agent, onBack, onConnected }: TokenStepProps) {
  const { t } = useTranslation('channels')
  const provision = useAction(api.channels.telegram.provision, { hasToast: false })
  const demonstration = useDemonstration()
  const form = useForm({ defaultValues: { botToken: '' } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ botToken }) => {
    setFailure(undefined)
    try {
      onConnected(await provision({ agentId: agent._id, botToken: botToken.trim() }))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <CardSection title={t(($) => $.setup.tokenTitle)} description={t(($) => $.telegram.agent, { name: agent.name })}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        {demonstration ? (
          <DemonstrationHint what="bot" href={pageWith(demonstration.telegram, { new: '' })} />
        ) : (
          <Guide />
        )}
        <Field
          label={t(($) => $.setup.token)}
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
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="status" className="me-auto text-muted-foreground">
            {isSubmitting && t(($) => $.setup.connecting)}
          </p>
          <Button onClick={onBack} disabled={isSubmitting}>
            {t(($) => $.setup.back)}
          </Button>
          <Button type="submit" variant="primary" isBusy={isSubmitting}>
            {t(($) => $.setup.connect)}
          </Button>
        </div>
      </form>
    </CardSection>
  )
}

function Guide() {
  const { t } = useTranslation('channels')
  return (
    <div className="rounded-lg bg-muted p-4">
      <h3 className="font-medium">{t(($) => $.setup.guide.title)}</h3>
      <ol className="mt-2 list-decimal space-y-1 ps-5 marker:text-muted-foreground">
        <li>
          <a
            href="https://t.me/BotFather"
            target="_blank"
            rel="noopener noreferrer"
            className="inline-flex items-center gap-1 text-primary underline underline-offset-2"
          >
            {t(($) => $.setup.guide.open)}
            <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        </li>
        <li>{t(($) => $.setup.guide.newBot)}</li>
        <li>{t(($) => $.setup.guide.copy)}</li>
      </ol>
    </div>
  )
}
