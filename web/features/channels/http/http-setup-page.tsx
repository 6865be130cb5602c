// /channels/http/setup: from an agent and an address to the secrets, which are in no URL: who comes back goes on to the page of the
// connection.
import { useState } from 'react'
import { Navigate } from 'react-router'
import type { ChannelConnection, HttpSecrets } from '#shared/channels/channels.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { AddressStep } from '../setup/address-step.tsx'
import { SecretsStep } from '../setup/secrets-step.tsx'
import { SetupWizard } from '../setup/setup-wizard.tsx'

type Made = { connection: ChannelConnection; secrets: HttpSecrets }

export function HttpSetupPage() {
  const { t } = useTranslation('channels')
  const [made, setMade] = useState<Made>()
  return (
    <SetupWizard
      channel="http"
      title={t(($) => $.httpSetup.title)}
      noAgents={t(($) => $.httpSetup.noAgentsBody)}
      steps={[
        ['address', t(($) => $.httpSetup.stepAddress)],
        ['done', t(($) => $.setup.stepDone)],
      ]}
      stepOf={(_, connectionId) => (made || connectionId ? 'done' : null)}
      show={({ agent, connectionId, onBack, onConnected }) => {
        if (made) return <SecretsStep {...made} />
        if (connectionId) return <Navigate to={paths.channelConnection('http', connectionId)} replace />
        const keep = (next: Made) => {
          setMade(next)
          onConnected(next.connection)
        }
        return agent && <AddressStep agent={agent} onBack={onBack} onConnected={keep} />
      }}
    />
  )
}
