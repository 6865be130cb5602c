// /channels/telegram/:connectionId: how one bot is doing, and the way to take it off.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { ErrorAlert } from '../connection/error-alert.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { OpenLink } from '../connection/open-link.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { CodeFact, DeliveryFact, MomentFact, StateSection } from '../connection/state-section.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { BusinessAlert } from './business-alert.tsx'
import { TelegramSettingsSection } from './settings-section.tsx'
import { TelegramDeliverySection } from './telegram-delivery-section.tsx'
import { TelegramTestSection } from './telegram-test-section.tsx'
import { TelegramTokenSection } from './telegram-token-section.tsx'

export function TelegramConnectionPage() {
  const { t } = useTranslation('channels')
  const chatLink = useChatLink()
  return (
    <ConnectionPage
      channel="telegram"
      backToList={t(($) => $.connection.backToList)}
      actions={(connection) => <OpenLink href={chatLink(connection)} label={t(($) => $.connection.openBot)} />}
    >
      {(connection, agent) => (
        <>
          <ErrorAlert
            connection={connection}
            title={t(($) => $.connection.errorTitleBox)}
            help={t(($) => $.connection.errorHelp)}
          />
          <BusinessAlert connection={connection} />
          <State connection={connection} agent={agent} />
          <HealthSection key={`health ${connection._id}`} connection={connection} />
          <SendingSection key={`sending ${connection._id}`} connection={connection} />
          {connection.settings && (
            <TelegramSettingsSection
              key={`settings ${connection._id}`}
              connectionId={connection._id}
              saved={connection.settings}
            />
          )}
          <TelegramDeliverySection connection={connection} />
          <TelegramTestSection connection={connection} />
          <TelegramTokenSection connection={connection} />
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
      <DeliveryFact connection={connection} hint={t(($) => $.delivery[`${connection.delivery}Hint`])} />
      <CodeFact
        label={t(($) => $.connection.token)}
        hint={t(($) => $.connection.tokenHint)}
        code={connection.maskedToken}
      />
      <MomentFact label={t(($) => $.connection.lastInbound)} at={connection.lastInboundAt} />
      <MomentFact label={t(($) => $.connection.lastHeartbeat)} at={connection.lastHeartbeatAt} />
    </StateSection>
  )
}
