// /channels/http/:connectionId: how one program is doing, its secrets, the last deliveries, and the way to take it off.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { ErrorAlert } from '../connection/error-alert.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { inboundAddress } from '../connection/inbound-address.ts'
import { SecretBox } from '../connection/secret-box.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { CodeFact, MomentFact, StateSection } from '../connection/state-section.tsx'
import { HttpAddressSection } from './http-address-section.tsx'
import { HttpLogSection } from './http-log-section.tsx'
import { HttpSecretsSection } from './http-secrets-section.tsx'
import { HttpTestButton } from './http-test-button.tsx'

export function HttpConnectionPage() {
  const { t } = useTranslation('channels')
  return (
    <ConnectionPage
      channel="http"
      backToList={t(($) => $.http.backToList)}
      actions={(connection) => <HttpTestButton connection={connection} />}
    >
      {(connection, agent) => (
        <>
          <Notice connection={connection} />
          <State connection={connection} agent={agent} />
          <HealthSection key={`health ${connection._id}`} connection={connection} />
          <SendingSection key={`sending ${connection._id}`} connection={connection} />
          <HttpLogSection connection={connection} />
          <HttpSecretsSection connection={connection} />
          <HttpAddressSection key={connection._id} connection={connection} />
          <DisconnectSection connection={connection} />
        </>
      )}
    </ConnectionPage>
  )
}

/** What a person has to do now, if anything. */
function Notice({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  if (connection.lastError) {
    return <ErrorAlert connection={connection} title={t(($) => $.http.errorTitle)} help={t(($) => $.http.errorHelp)} />
  }
  if (connection.status !== 'pending') return null
  return (
    <Alert tone="info" title={t(($) => $.http.pendingTitle)}>
      {t(($) => $.http.pendingBody)}
    </Alert>
  )
}

function State({ connection, agent }: { connection: ChannelConnection; agent: AgentSummary | undefined }) {
  const { t } = useTranslation('channels')
  const addresses = (
    <>
      <Fact label={t(($) => $.http.address)} isWide>
        {connection.address}
      </Fact>
      <Fact label={t(($) => $.http.inboundAddress)} hint={t(($) => $.http.docs)} isWide>
        <SecretBox text={inboundAddress(connection)} copyLabel={t(($) => $.http.copyInboundAddress)} />
      </Fact>
    </>
  )
  return (
    <StateSection connection={connection} agent={agent} below={addresses}>
      <MomentFact label={t(($) => $.connection.lastInbound)} at={connection.lastInboundAt} />
      <MomentFact label={t(($) => $.connection.lastHeartbeat)} at={connection.lastHeartbeatAt} />
      <CodeFact
        label={t(($) => $.http.secretTail)}
        hint={t(($) => $.connection.tokenHint)}
        code={connection.maskedToken}
      />
    </StateSection>
  )
}
