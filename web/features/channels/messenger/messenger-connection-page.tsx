// /channels/max/:connectionId and the like: how one account of a messenger is doing, trying it out, and the way to take it off.

import { CircleOff, ExternalLink } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { useMessengerLink } from '../use-demonstration.ts'
import { MessengerAddress, MessengerCheck } from './delivery.tsx'
import { MessengerTestSection } from './messenger-test-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { MessengerState } from './state-section.tsx'

/** Live. A disconnected account is not found any more. */
export function MessengerConnectionPage({ channel }: { channel: MessengerChannel }) {
  const { t } = useTranslation('channels')
  const linkOf = useMessengerLink()
  const { connectionId } = useParams()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find((each) => each._id === connectionId && each.channel === channel)
  const href = connection?.status === 'connected' ? linkOf(connection) : null
  return (
    <Page
      title={connection ? connectionName(connection) : channelName(channel, currentLanguage())}
      width="narrow"
      actions={
        href !== null && (
          <a href={href} target="_blank" rel="noopener noreferrer" className={buttonClasses()}>
            <ExternalLink aria-hidden="true" />
            {t(($) => $.messenger.openChat)}
          </a>
        )
      }
    >
      {(!connections || !agents) && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {connections && agents && !connection && (
        <EmptyState
          icon={CircleOff}
          title={t(($) => $.connection.notFoundTitle)}
          description={t(($) => $.connection.notFoundBody)}
          action={
            <Link to={paths.channel(channel)} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.messenger.backToList)}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <Sections
          channel={channel}
          connection={connection}
          agent={agents.find((agent) => agent._id === connection.agentId)}
        />
      )}
    </Page>
  )
}

type SectionsProps = { channel: MessengerChannel; connection: ChannelConnection; agent: AgentSummary | undefined }

function Sections({ channel, connection, agent }: SectionsProps) {
  const { t } = useTranslation('channels')
  const name = channelName(channel, currentLanguage())
  return (
    <>
      {connection.lastError && (
        <Alert tone="destructive" title={t(($) => $.messenger.errorTitle, { name })}>
          <p className="break-words font-mono text-xs">{connection.lastError}</p>
          <p className="mt-1">{t(($) => $.messenger.errorHelp)}</p>
        </Alert>
      )}
      <MessengerState channel={channel} connection={connection} agent={agent} />
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
