// Second step for a messenger: by what its provider knows the account, with the way to get it.

import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { describeError } from '#web/lib/errors.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useAction } from '#web/lib/server/convex.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { EntryFields, enteredIn, useEntryForm } from './entry-fields.tsx'

type EntryStepProps = {
  channel: MessengerChannel
  agent: AgentSummary
  onBack: () => void
  onConnected: (connection: ChannelConnection) => void
}

/** What is entered is checked with the provider; what is wrong with it shows under the fields. */
export function EntryStep({ channel, agent, onBack, onConnected }: EntryStepProps) {
  const { t } = useTranslation('channels')
  const provision = useAction(api.channels.messengers.provision, { hasToast: false })
  const page = useDemonstration()?.messengers[channel]
  const { form, fields } = useEntryForm(channel)
  const [failure, setFailure] = useState<string>()
  const { isSubmitting } = form.formState
  const name = channelName(channel, currentLanguage())
  const submit = form.handleSubmit(async (entries) => {
    setFailure(undefined)
    try {
      onConnected(await provision({ agentId: agent._id, channel, entered: enteredIn(entries) }))
    } catch (error) {
      setFailure(describeError(error).message)
    }
  })
  return (
    <CardSection
      title={t(($) => $.messenger.entryTitle, { name })}
      description={t(($) => $.telegram.agent, { name: agent.name })}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-6">
        {page ? <DemonstrationHint what="messenger" href={page} /> : <Guide channel={channel} />}
        <EntryFields channel={channel} form={form} fields={fields} />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <div className="flex flex-wrap items-center justify-end gap-2">
          <p role="status" className="me-auto text-muted-foreground">
            {isSubmitting && t(($) => $.messenger.connecting, { name })}
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

/** Its steps are lines of one text. */
function Guide({ channel }: { channel: MessengerChannel }) {
  const { t } = useTranslation('channels')
  return (
    <div className="rounded-lg bg-muted p-4">
      <h3 className="font-medium">{t(($) => $.messenger.guideTitle)}</h3>
      <ol className="mt-2 flex list-decimal flex-col gap-1 ps-5 marker:text-muted-foreground">
        <li>
          <a
            href={messengerForm(channel).guideUrl}
            target="_blank"
            rel="noopener noreferrer"
            className="text-primary underline underline-offset-4"
          >
            {t(($) => $.messengers[channel].guideLink)}
            <ExternalLink aria-hidden="true" className="ms-1 inline size-3.5" />
          </a>
        </li>
        {t(($) => $.messengers[channel].guide)
          .split('\n')
          .map((line) => (
            <li key={line}>{line}</li>
          ))}
      </ol>
    </div>
  )
}
