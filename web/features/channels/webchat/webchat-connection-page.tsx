// /channels/webchat/:connectionId: one web chat: how to put it on a site, how it looks, and the way to take it off.

import { CircleOff, ExternalLink } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection, ConnectionHealth } from '#shared/channels/channels.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { serverOrigin } from '#web/lib/server/server-address.ts'
import { toast } from '#web/lib/toast.ts'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { EmbedSection } from './embed-section.tsx'
import { IdentitySection } from './identity-section.tsx'
import { pageAddress } from './widget.rules.ts'
import { WidgetForm } from './widget-form.tsx'

/** Live. One that was taken off is not found any more. */
export function WebchatConnectionPage() {
  const { t } = useTranslation('channels')
  const { connectionId } = useParams()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find(({ _id, channel }) => _id === connectionId && channel === 'webchat')
  return (
    <Page
      title={connection ? connection.identifier : channelName('webchat', currentLanguage())}
      actions={
        connection && (
          <a
            href={pageAddress(serverOrigin, connection.externalAccountId)}
            target="_blank"
            rel="noopener"
            className={buttonClasses()}
          >
            <ExternalLink aria-hidden="true" />
            {t(($) => $.webchat.openPage)}
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
            <Link to={paths.channel('webchat')} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.webchat.backToList)}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <Connection connection={connection} agent={agents.find(({ _id }) => _id === connection.agentId)} />
      )}
    </Page>
  )
}

type ConnectionProps = { connection: ChannelConnection; agent: AgentSummary | undefined }

function Connection({ connection, agent }: ConnectionProps) {
  const { t } = useTranslation('channels')
  const update = useMutation(api.channels.webchat.update)
  const { _id: connectionId, widget } = connection
  const health: ConnectionHealth | undefined = useQuery(api.channelConnections.health, { connectionId })
  return (
    <>
      <CardSection title={t(($) => $.connection.state)} actions={<StatusBadge connection={connection} />}>
        <dl className="grid gap-4 sm:grid-cols-3">
          <Fact label={t(($) => $.connection.agent)}>{agent?.name ?? t(($) => $.telegram.deletedAgent)}</Fact>
          <Fact label={t(($) => $.connection.processed)}>{formatNumber(connection.messagesProcessed)}</Fact>
          <Fact label={t(($) => $.connection.lastInbound)}>
            {connection.lastInboundAt === null ? (
              <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
            ) : (
              <RelativeTime at={connection.lastInboundAt} />
            )}
          </Fact>
        </dl>
      </CardSection>
      <HealthSection key={`health ${connectionId}`} connection={connection} />
      <EmbedSection widgetKey={connection.externalAccountId} hasDomains={(widget?.domains.length ?? 0) > 0} />
      {widget && (
        <WidgetForm
          widget={widget}
          avatar={agent?.avatar ?? null}
          refused={health?.refusedSite}
          submitLabel={t(($) => $.webchat.save)}
          onSubmit={async (changed) => {
            await update({ connectionId, widget: changed })
            toast.success(t(($) => $.webchat.saved))
          }}
        />
      )}
      <IdentitySection connectionId={connectionId} />
      <DisconnectSection connection={connection} />
    </>
  )
}
