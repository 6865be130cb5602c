// Second step for WhatsApp: the instance and its token, with the way to get them.
import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { type ChannelConnection, INSTANCE_ID_PATTERN, INSTANCE_TOKEN_PATTERN } from '#shared/channels/channels.ts'
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
import { pageWith, useDemonstration } from '../use-demonstration.ts'
import { MadeInstance } from './made-instance.tsx'

const CONSOLE_URL = 'https://console.green-api.com'

type InstanceStepProps = {
  agent: AgentSummary
  onBack: () => void
  onConnected: (connection: ChannelConnection) => void
}

/** The pair is checked with GREEN-API; what is wrong with it shows under the fields. */
export function InstanceStep({ agent, onBack, onConnected }: InstanceStepProps) {
  const { t } = useTranslation('channels')
  const provision = useAction(api.channels.whatsapp.provision, { hasToast: false })
  const demonstration = useDemonstration()
  const form = useForm({ defaultValues: { idInstance: '', apiToken: '', apiUrl: '' } })
  const [failure, setFailure] = useState<string>()
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ idInstance, apiToken, apiUrl }) => {
    setFailure(undefined)
    const address = apiUrl.trim()
    try {
      const instance = { idInstance: idInstance.trim(), apiToken: apiToken.trim() }
      onConnected(await provision({ agentId: agent._id, ...instance, ...(address && { apiUrl: address }) }))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  const required = (pattern: RegExp, missing: string, wrong: string) => (value: string) =>
    value.trim() === '' ? missing : pattern.test(value.trim()) || wrong
  const secretProps = { autoComplete: 'off', spellCheck: false, className: 'font-mono' }
  return (
    <CardSection
      title={t(($) => $.whatsappSetup.instanceTitle)}
      description={t(($) => $.telegram.agent, { name: agent.name })}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        <SlotsNotice />
        <MadeInstance agent={agent} onConnected={onConnected} />
        {demonstration ? (
          <DemonstrationHint what="instance" href={pageWith(demonstration.whatsapp, { new: '' })} />
        ) : (
          <Guide />
        )}
        <Field label={t(($) => $.whatsappSetup.idInstance)} error={errors.idInstance?.message} isRequired>
          <Input
            {...secretProps}
            inputMode="numeric"
            placeholder="7103…"
            {...form.register('idInstance', {
              validate: required(
                INSTANCE_ID_PATTERN,
                t(($) => $.whatsappSetup.idRequired),
                t(($) => $.whatsappSetup.idFormat),
              ),
            })}
          />
        </Field>
        <Field
          label={t(($) => $.whatsappSetup.apiToken)}
          hint={t(($) => $.whatsappSetup.tokenHint)}
          error={errors.apiToken?.message}
          isRequired
        >
          <Input
            {...secretProps}
            {...form.register('apiToken', {
              validate: required(
                INSTANCE_TOKEN_PATTERN,
                t(($) => $.whatsappSetup.tokenRequired),
                t(($) => $.whatsappSetup.tokenFormat),
              ),
            })}
          />
        </Field>
        <Field label={t(($) => $.whatsappSetup.apiUrl)} hint={t(($) => $.whatsappSetup.apiUrlHint)} isOptional>
          <Input {...secretProps} placeholder="https://7103.api.greenapi.com" {...form.register('apiUrl')} />
        </Field>
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="status" className="me-auto text-muted-foreground">
            {isSubmitting && t(($) => $.whatsappSetup.connecting)}
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
      <h3 className="font-medium">{t(($) => $.whatsappSetup.guideTitle)}</h3>
      <ol className="mt-2 flex list-decimal flex-col gap-1 ps-5 marker:text-muted-foreground">
        <li>
          <a
            href={CONSOLE_URL}
            target="_blank"
            rel="noopener noreferrer"
            className="text-primary underline underline-offset-4"
          >
            {t(($) => $.whatsappSetup.guideConsole)}
            <ExternalLink aria-hidden="true" className="ms-1 inline size-3.5" />
          </a>
        </li>
        <li>{t(($) => $.whatsappSetup.guideCreate)}</li>
        <li>{t(($) => $.whatsappSetup.guideCopy)}</li>
      </ol>
    </div>
  )
}
