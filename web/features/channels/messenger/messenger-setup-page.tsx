// /channels/max/setup and the like: from an agent and the credentials copied at the provider to the first message.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { channelName, type MessengerChannel } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { SetupWizard, type StepProps } from '../setup/setup-wizard.tsx'
import { EntryStep } from './entry-step.tsx'
import { MessengerDoneStep } from './messenger-done-step.tsx'
import { WebhookStep } from './webhook-step.tsx'

type Step = 'entry' | 'webhook' | 'done'

/** The steps follow from the form of the channel. */
export function MessengerSetupPage({ channel }: { channel: MessengerChannel }) {
  const { t } = useTranslation('channels')
  const isByHand = messengerForm(channel).pointing === 'byHand'
  const webhook = ['webhook', t(($) => $.messenger.stepWebhook)] as const
  return (
    <SetupWizard<Step>
      channel={channel}
      title={t(($) => $.messenger.setupTitle, { name: channelName(channel, currentLanguage()) })}
      noAgents={t(($) => $.messenger.noAgentsBody)}
      steps={[
        ['entry', t(($) => $.messenger.stepEntry)],
        ...(isByHand ? [webhook] : []),
        ['done', t(($) => $.setup.stepDone)],
      ]}
      stepOf={(connection) => (connection ? stepAfter(connection, isByHand) : null)}
      show={(props) => <MessengerStep channel={channel} {...props} />}
    />
  )
}

function MessengerStep({
  channel,
  step,
  agent,
  connection,
  ...entry
}: StepProps<Step> & { channel: MessengerChannel }) {
  if (!connection) return agent && <EntryStep channel={channel} agent={agent} {...entry} />
  if (step === 'webhook') return <WebhookStep key={connection._id} channel={channel} connection={connection} />
  return <MessengerDoneStep channel={channel} connection={connection} />
}

/** Where delivery is set up by hand, not done until a person has entered the address at the provider, and the provider has accepted it. */
function stepAfter({ status }: ChannelConnection, isByHand: boolean): Step {
  return isByHand && (status === 'pending' || status === 'error') ? 'webhook' : 'done'
}
