// Second step for the Cloud API: by what Meta knows the number, with the way to get it.
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { APP_SECRET_PATTERN, META_ID_PATTERN, META_TOKEN_PATTERN } from '#shared/channels/cloud.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { SlotsNotice } from '../connection/slots-notice.tsx'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { useDemonstration } from '../use-demonstration.ts'

const APPS_URL = 'https://developers.facebook.com/apps'
const FIELDS = ['phoneNumberId', 'accountId', 'accessToken', 'appSecret'] as const
type Name = (typeof FIELDS)[number]

const PATTERNS: Record<Name, RegExp> = {
  phoneNumberId: META_ID_PATTERN,
  accountId: META_ID_PATTERN,
  accessToken: META_TOKEN_PATTERN,
  appSecret: APP_SECRET_PATTERN,
}

type CloudNumberStepProps = {
  agent: AgentSummary
  onBack: () => void
  onConnected: (connection: ChannelConnection) => void
}

/** All four are checked with Meta; what is wrong with them shows under the fields. */
export function CloudNumberStep({ agent, onBack, onConnected }: CloudNumberStepProps) {
  const { t } = useTranslation('channels')
  const provision = useAction(api.channels.whatsappCloud.provision, { hasToast: false })
  const demonstration = useDemonstration()
  const form = useForm({ defaultValues: { phoneNumberId: '', accountId: '', accessToken: '', appSecret: '' } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const hints = { id: t(($) => $.cloudSetup.idHint), token: t(($) => $.cloudSetup.tokenHint) }
  const texts: Record<Name, { hint: string; wrong: string }> = {
    phoneNumberId: { hint: hints.id, wrong: t(($) => $.cloudSetup.idFormat) },
    accountId: { hint: hints.id, wrong: t(($) => $.cloudSetup.idFormat) },
    accessToken: { hint: hints.token, wrong: t(($) => $.cloudSetup.tokenFormat) },
    appSecret: { hint: t(($) => $.cloudSetup.secretHint), wrong: t(($) => $.cloudSetup.secretFormat) },
  }
  const submit = form.handleSubmit(async (entered) => {
    setFailure(undefined)
    try {
      onConnected(await provision({ agentId: agent._id, ...trimmed(entered) }))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <CardSection
      title={t(($) => $.cloudSetup.numberTitle)}
      description={t(($) => $.telegram.agent, { name: agent.name })}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        <SlotsNotice />
        {demonstration ? <DemonstrationHint what="cloudNumber" href={demonstration.whatsappCloud} /> : <Guide />}
        {FIELDS.map((name) => (
          <Field
            key={name}
            label={t(($) => $.whatsappCloud[name])}
            hint={texts[name].hint}
            error={errors[name]?.message}
            isRequired
          >
            <Input
              autoComplete="off"
              spellCheck={false}
              className="font-mono"
              {...(PATTERNS[name] === META_ID_PATTERN && { inputMode: 'numeric' as const })}
              {...form.register(name, { validate: (value) => isRight(name, value) || texts[name].wrong })}
            />
          </Field>
        ))}
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="status" className="me-auto text-muted-foreground">
            {isSubmitting && t(($) => $.cloudSetup.connecting)}
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

function isRight(name: Name, value: string): boolean {
  const text = value.trim()
  return PATTERNS[name].test(name === 'appSecret' ? text.toLowerCase() : text)
}

function trimmed(entered: Record<Name, string>): Record<Name, string> {
  const { phoneNumberId, accountId, accessToken, appSecret } = entered
  return {
    phoneNumberId: phoneNumberId.trim(),
    accountId: accountId.trim(),
    accessToken: accessToken.trim(),
    appSecret: appSecret.trim(),
  }
}

function Guide() {
  const { t } = useTranslation('channels')
  return (
    <div className="rounded-lg bg-muted p-4">
      <h3 className="font-medium">{t(($) => $.cloudSetup.guideTitle)}</h3>
      <ol className="mt-2 flex list-decimal flex-col gap-1 ps-5 marker:text-muted-foreground">
        <li>
          <a
            href={APPS_URL}
            target="_blank"
            rel="noopener noreferrer"
            className="text-primary underline underline-offset-4"
          >
            {t(($) => $.cloudSetup.guideApps)}
            <ExternalLink aria-hidden="true" className="ms-1 inline size-3.5" />
          </a>
        </li>
        <li>{t(($) => $.cloudSetup.guideNumber)}</li>
        <li>{t(($) => $.cloudSetup.guideToken)}</li>
      </ol>
    </div>
  )
}
