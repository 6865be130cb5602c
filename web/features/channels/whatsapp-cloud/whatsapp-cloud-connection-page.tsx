// /channels/whatsapp-cloud/:connectionId: how one number on the Cloud API is doing, trying it out, and the way to take it off.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { OpenLink } from '../connection/open-link.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { CodeFact, DeliveryFact, MomentFact, StateSection } from '../connection/state-section.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { WhatsappTestSection } from '../whatsapp/whatsapp-test-section.tsx'
import { CloudErrorAlert } from './cloud-error-alert.tsx'
import { CloudFactsSection } from './cloud-facts-section.tsx'
import { CloudTokenSections } from './cloud-token-sections.tsx'
import { CloudCheck, CloudWebhook } from './cloud-webhook.tsx'

export function WhatsappCloudConnectionPage() {
  const { t } = useTranslation('channels')
  const chatLink = useChatLink()
  const open = (connection: ChannelConnection) =>
    connection.status === 'connected' && (
      <OpenLink href={chatLink(connection)} label={t(($) => $.whatsappCloud.openChat)} />
    )
  return (
    <ConnectionPage channel="whatsappCloud" backToList={t(($) => $.whatsappCloud.backToList)} actions={open}>
      {(connection, agent) => (
        <>
          <CloudErrorAlert connection={connection} />
          <State connection={connection} agent={agent} />
          <CloudFactsSection key={`facts ${connection._id}`} connection={connection} />
          <HealthSection key={`health ${connection._id}`} connection={connection} />
          <SendingSection key={`sending ${connection._id}`} connection={connection} />
          <WhatsappTestSection connection={connection} />
          <CardSection title={t(($) => $.cloudSetup.webhookSection)} description={t(($) => $.cloudSetup.webhookBody)}>
            <div className="flex flex-col gap-5">
              <CloudWebhook connection={connection} />
              <CloudCheck connection={connection} />
            </div>
          </CardSection>
          <CloudTokenSections connection={connection} />
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
      <DeliveryFact connection={connection} hint={t(($) => $.whatsappCloud.delivery)} />
      <CodeFact label={t(($) => $.whatsappCloud.phoneNumberId)} code={connection.externalAccountId} />
      <CodeFact
        label={t(($) => $.whatsappCloud.accessToken)}
        hint={t(($) => $.connection.tokenHint)}
        code={connection.maskedToken}
      />
      <MomentFact label={t(($) => $.connection.lastInbound)} at={connection.lastInboundAt} />
    </StateSection>
  )
}
