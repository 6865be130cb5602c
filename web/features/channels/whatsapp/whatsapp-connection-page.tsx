// /channels/whatsapp/:connectionId: how one number is doing, trying it out, and the way to take it off.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { AccountNotice } from '../connection/account-notice.tsx'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { ErrorAlert } from '../connection/error-alert.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { OpenLink } from '../connection/open-link.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { CodeFact, DeliveryFact, MomentFact, StateSection } from '../connection/state-section.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { WhatsappDeliverySection } from './delivery-section.tsx'
import { WhatsappSettingsSection } from './settings-section.tsx'
import { StandInSection } from './stand-in-section.tsx'
import { WhatsappInstanceSection } from './whatsapp-instance-section.tsx'
import { WhatsappTestSection } from './whatsapp-test-section.tsx'
import { WhatsappTokenSection } from './whatsapp-token-section.tsx'

export function WhatsappConnectionPage() {
  const { t } = useTranslation('channels')
  const chatLink = useChatLink()
  const open = (connection: ChannelConnection) =>
    connection.accountState === 'authorized' && (
      <OpenLink href={chatLink(connection)} label={t(($) => $.whatsappSetup.openChat)} />
    )
  return (
    <ConnectionPage channel="whatsapp" backToList={t(($) => $.whatsapp.backToList)} actions={open}>
      {(connection, agent) => (
        <>
          <AccountNotice connection={connection} />
          <ErrorAlert
            connection={connection}
            title={t(($) => $.whatsapp.errorTitle)}
            help={t(($) => $.whatsapp.errorHelp)}
          />
          <State connection={connection} agent={agent} />
          <HealthSection key={`health ${connection._id}`} connection={connection} />
          <SendingSection key={`sending ${connection._id}`} connection={connection} />
          <StandInSection key={`stand-in ${connection._id}`} connection={connection} />
          <WhatsappTestSection connection={connection} />
          <WhatsappSettingsSection key={`settings ${connection._id}`} connection={connection} />
          <WhatsappDeliverySection key={connection.delivery} connection={connection} />
          <WhatsappInstanceSection connection={connection} />
          <WhatsappTokenSection connection={connection} />
          <DisconnectSection connection={connection} />
        </>
      )}
    </ConnectionPage>
  )
}

function State({ connection, agent }: { connection: ChannelConnection; agent: AgentSummary | undefined }) {
  const { t } = useTranslation('channels')
  return (
    <StateSection connection={connection} agent={agent}>
      <DeliveryFact connection={connection} hint={t(($) => $.whatsapp.delivery[connection.delivery])} />
      <CodeFact label={t(($) => $.whatsappSetup.idInstance)} code={connection.externalAccountId} />
      <CodeFact
        label={t(($) => $.whatsappSetup.apiToken)}
        hint={t(($) => $.connection.tokenHint)}
        code={connection.maskedToken}
      />
      <MomentFact label={t(($) => $.connection.lastInbound)} at={connection.lastInboundAt} />
      <MomentFact label={t(($) => $.whatsapp.stateTold)} at={connection.accountStateAt} />
    </StateSection>
  )
}
