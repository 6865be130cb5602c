// /channels/webchat/:connectionId: one web chat: how to put it on a site, how it looks, and the way to take it off.

import { ExternalLink } from 'lucide-react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection, ConnectionHealth } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { serverOrigin } from '#web/lib/server/server-address.ts'
import { toast } from '#web/lib/toast.ts'
import { ConnectionPage } from '../connection/connection-page.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { EmbedSection } from './embed-section.tsx'
import { IdentitySection } from './identity-section.tsx'
import { pageAddress } from './widget.rules.ts'
import { WidgetForm } from './widget-form.tsx'

export function WebchatConnectionPage() {
  const { t } = useTranslation('channels')
  const open = ({ externalAccountId }: ChannelConnection) => (
    <a href={pageAddress(serverOrigin, externalAccountId)} target="_blank" rel="noopener" className={buttonClasses()}>
      <ExternalLink aria-hidden="true" />
      {t(($) => $.webchat.openPage)}
    </a>
  )
  return (
    <ConnectionPage channel="webchat" isWide backToList={t(($) => $.webchat.backToList)} actions={open}>
      {(connection, agent) => <Connection connection={connection} agent={agent} />}
    </ConnectionPage>
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
