// /channels/telegram/setup: from an agent and a token to the first message.
import { useTranslation } from '#web/lib/i18n.ts'
import { DoneStep } from '../setup/done-step.tsx'
import { SetupWizard } from '../setup/setup-wizard.tsx'
import { TokenStep } from '../setup/token-step.tsx'

export function TelegramSetupPage() {
  const { t } = useTranslation('channels')
  return (
    <SetupWizard
      channel="telegram"
      title={t(($) => $.setup.title)}
      noAgents={t(($) => $.setup.noAgentsBody)}
      steps={[
        ['token', t(($) => $.setup.stepToken)],
        ['done', t(($) => $.setup.stepDone)],
      ]}
      show={({ agent, connection, ...step }) =>
        connection ? <DoneStep connection={connection} /> : agent && <TokenStep agent={agent} {...step} />
      }
    />
  )
}
