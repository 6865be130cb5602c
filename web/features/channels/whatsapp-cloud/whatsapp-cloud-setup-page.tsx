// /channels/whatsapp-cloud/setup: from an agent and a number to delivery and the first message.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { CloudDoneStep } from '../setup/cloud-done-step.tsx'
import { CloudNumberStep } from '../setup/cloud-number-step.tsx'
import { CloudWebhookStep } from '../setup/cloud-webhook-step.tsx'
import { SetupWizard, type StepProps } from '../setup/setup-wizard.tsx'

type Step = 'number' | 'webhook' | 'done'

export function WhatsappCloudSetupPage() {
  const { t } = useTranslation('channels')
  return (
    <SetupWizard<Step>
      channel="whatsappCloud"
      title={t(($) => $.cloudSetup.title)}
      noAgents={t(($) => $.cloudSetup.noAgentsBody)}
      steps={[
        ['number', t(($) => $.cloudSetup.stepNumber)],
        ['webhook', t(($) => $.cloudSetup.stepWebhook)],
        ['done', t(($) => $.setup.stepDone)],
      ]}
      stepOf={stepOf}
      show={(props) => <CloudStep {...props} />}
    />
  )
}

function CloudStep({ step, agent, connection, ...entry }: StepProps<Step>) {
  if (!connection) return agent && <CloudNumberStep agent={agent} {...entry} />
  if (step === 'webhook') return <CloudWebhookStep key={connection._id} connection={connection} />
  return <CloudDoneStep connection={connection} />
}

/** Pending until Meta delivers to it; in error while it refuses to. */
function stepOf(connection: ChannelConnection | undefined): Step | null {
  if (!connection) return null
  return connection.status === 'pending' || connection.status === 'error' ? 'webhook' : 'done'
}
