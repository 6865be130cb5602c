// /channels/http/:connectionId: how one program is doing, its secrets, the last deliveries, and the way to take it off.

import { CircleOff } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { inboundAddress } from '../connection/inbound-address.ts'
import { SecretBox } from '../connection/secret-box.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { HttpAddressSection } from './http-address-section.tsx'
import { HttpLogSection } from './http-log-section.tsx'
import { HttpSecretsSection } from './http-secrets-section.tsx'
import { HttpTestButton } from './http-test-button.tsx'

/** Live. A disconnected program is not found any more. */
export function HttpConnectionPage() {
  const { t } = useTranslation('channels')
  const { connectionId } = useParams()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find(({ _id, channel }) => _id === connectionId && channel === 'http')
  return (
    <Page
      title={connection?.identifier ?? channelName('http', currentLanguage())}
      width="narrow"
      actions={connection && <HttpTestButton connection={connection} />}
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
            <Link to={paths.channel('http')} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.http.backToList)}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <>
          <Notice connection={connection} />
          <Health connection={connection} agent={agents.find((agent) => agent._id === connection.agentId)} />
          <HealthSection key={`health ${connection._id}`} connection={connection} />
          <SendingSection key={`sending ${connection._id}`} connection={connection} />
          <HttpLogSection connection={connection} />
          <HttpSecretsSection connection={connection} />
          <HttpAddressSection key={connection._id} connection={connection} />
          <DisconnectSection connection={connection} />
        </>
      )}
    </Page>
  )
}

/** What a person has to do now, if anything. */
function Notice({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  if (connection.lastError) {
    return (
      <Alert tone="destructive" title={t(($) => $.http.errorTitle)}>
        <p className="break-words font-mono text-xs">{connection.lastError}</p>
        <p className="mt-1">{t(($) => $.http.errorHelp)}</p>
      </Alert>
    )
  }
  if (connection.status !== 'pending') return null
  return (
    <Alert tone="info" title={t(($) => $.http.pendingTitle)}>
      {t(($) => $.http.pendingBody)}
    </Alert>
  )
}

function Health({ connection, agent }: { connection: ChannelConnection; agent: AgentSummary | undefined }) {
  const { t } = useTranslation('channels')
  const never = <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
  return (
    <CardSection title={t(($) => $.connection.state)} actions={<StatusBadge connection={connection} />}>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact label={t(($) => $.connection.agent)}>
          {agent ? (
            <Link to={paths.agentSettings(agent.slug)} className="text-primary underline-offset-4 hover:underline">
              {agent.name}
            </Link>
          ) : (
            t(($) => $.telegram.deletedAgent)
          )}
        </Fact>
        <Fact label={t(($) => $.connection.processed)}>{formatNumber(connection.messagesProcessed)}</Fact>
        <Fact label={t(($) => $.connection.lastInbound)}>
          {connection.lastInboundAt === null ? never : <RelativeTime at={connection.lastInboundAt} />}
        </Fact>
        <Fact label={t(($) => $.connection.lastHeartbeat)}>
          {connection.lastHeartbeatAt === null ? never : <RelativeTime at={connection.lastHeartbeatAt} />}
        </Fact>
        <Fact label={t(($) => $.http.secretTail)} hint={t(($) => $.connection.tokenHint)}>
          <code className="font-mono text-[0.8125rem]">{connection.maskedToken}</code>
        </Fact>
        <Fact label={t(($) => $.connection.linked)}>
          <DateTime at={connection.linkedAt} />
        </Fact>
        <Fact label={t(($) => $.http.address)} isWide>
          {connection.address}
        </Fact>
        <Fact label={t(($) => $.http.inboundAddress)} hint={t(($) => $.http.docs)} isWide>
          <SecretBox text={inboundAddress(connection)} copyLabel={t(($) => $.http.copyInboundAddress)} />
        </Fact>
      </dl>
    </CardSection>
  )
}
