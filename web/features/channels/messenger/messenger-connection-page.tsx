// /channels/max/:connectionId and the like: how one account of a messenger is doing, trying it out, and the way to take it off.
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { channelName, type MessengerChannel } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { ErrorAlert } from '../connection/error-alert.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { OpenLink } from '../connection/open-link.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { CodeFact, DeliveryFact, MomentFact, StateSection } from '../connection/state-section.tsx'
import { useMessengerLink } from '../use-demonstration.ts'
import { MessengerAddress, MessengerCheck } from './delivery.tsx'
import { MessengerTestSection } from './messenger-test-section.tsx'
import { SecretsSection } from './secrets-section.tsx'

/** The sections are those that the form of the channel asks for. */
export function MessengerConnectionPage({ channel }: { channel: MessengerChannel }) {
  const { t } = useTranslation('channels')
  const linkOf = useMessengerLink()
  const open = (connection: ChannelConnection) => {
    const href = connection.status === 'connected' ? linkOf(connection) : null
    return href !== null && <OpenLink href={href} label={t(($) => $.messenger.openChat)} />
  }
  return (
    <ConnectionPage channel={channel} backToList={t(($) => $.messenger.backToList)} actions={open}>
      {(connection, agent) => <Sections channel={channel} connection={connection} agent={agent} />}
    </ConnectionPage>
  )
}

type SectionsProps = { channel: MessengerChannel; connection: ChannelConnection; agent: AgentSummary | undefined }

function Sections({ channel, connection, agent }: SectionsProps) {
  const { t } = useTranslation('channels')
  const name = channelName(channel, currentLanguage())
  return (
    <>
      <ErrorAlert
        connection={connection}
        title={t(($) => $.messenger.errorTitle, { name })}
        help={t(($) => $.messenger.errorHelp)}
      />
      <State channel={channel} connection={connection} agent={agent} />
      <HealthSection key={`health ${connection._id}`} connection={connection} />
      <SendingSection key={`sending ${connection._id}`} connection={connection} />
      <MessengerTestSection channel={channel} connection={connection} />
      <CardSection
        title={t(($) => $.messenger.deliverySection, { name })}
        description={t(($) =>
          connection.delivery === 'polling' ? $.messenger.deliveryFetched : $.messengers[channel].delivery,
        )}
      >
        <div className="flex flex-col gap-5">
          {messengerForm(channel).pointing === 'byHand' && <MessengerAddress connection={connection} />}
          <MessengerCheck connection={connection} />
        </div>
      </CardSection>
      <SecretsSection channel={channel} connection={connection} />
      <DisconnectSection connection={connection} />
    </>
  )
}

function State({ channel, connection, agent }: SectionsProps) {
  const { t } = useTranslation('channels')
  const name = channelName(channel, currentLanguage())
  const ways = {
    webhook: t(($) => $.messenger.deliveryWebhook, { name }),
    polling: t(($) => $.messenger.deliveryPolling, { name }),
  }
  return (
    <StateSection connection={connection} agent={agent}>
      <DeliveryFact connection={connection} hint={ways[connection.delivery]} />
      <CodeFact label={t(($) => $.messenger.account)} code={connection.externalAccountId} />
      <CodeFact
        label={t(($) => $.messenger.secret)}
        hint={t(($) => $.connection.tokenHint)}
        code={connection.maskedToken}
      />
      <MomentFact label={t(($) => $.connection.lastInbound)} at={connection.lastInboundAt} />
    </StateSection>
  )
}
