// /channels/whatsapp/setup: from an agent and an instance to a linked phone and the first message.
import { type ChannelConnection, isFrozen } from '#shared/channels/channels.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { InstanceStep } from '../setup/instance-step.tsx'
import { LinkStep } from '../setup/link-step.tsx'
import { SetupWizard, type StepProps } from '../setup/setup-wizard.tsx'
import { WhatsappDoneStep } from '../setup/whatsapp-done-step.tsx'
import { pageWith, useDemonstration } from '../use-demonstration.ts'

type Step = 'instance' | 'link' | 'done'

export function WhatsappSetupPage() {
  const { t } = useTranslation('channels')
  return (
    <SetupWizard<Step>
      channel="whatsapp"
      title={t(($) => $.whatsappSetup.title)}
      noAgents={t(($) => $.whatsappSetup.noAgentsBody)}
      steps={[
        ['instance', t(($) => $.whatsappSetup.stepInstance)],
        ['link', t(($) => $.whatsappSetup.stepLink)],
        ['done', t(($) => $.setup.stepDone)],
      ]}
      stepOf={stepOf}
      show={(props) => <WhatsappStep {...props} />}
    />
  )
}

function WhatsappStep({ step, agent, connection, ...entry }: StepProps<Step>) {
  const demonstration = useDemonstration()
  if (!connection) return agent && <InstanceStep agent={agent} {...entry} />
  if (step === 'done') return <WhatsappDoneStep connection={connection} />
  const phone = demonstration && pageWith(demonstration.whatsapp, { number: connection.externalAccountId })
  return (
    <>
      {phone && <DemonstrationHint what="link" href={phone} />}
      <LinkStep key={connection._id} connection={connection} />
    </>
  )
}

/** An account that may not send has its phone still to be linked, or is restarting after its settings were changed. */
function stepOf(connection: ChannelConnection | undefined): Step | null {
  if (!connection) return null
  return isFrozen(connection.accountState) ? 'link' : 'done'
}
