// /channels/whatsapp-cloud/:connectionId: how one number on the Cloud API is doing, trying it out, and the way to take it off.

import { CircleOff, ExternalLink } from 'lucide-react'
import { Link, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
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
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { WhatsappTestSection } from '../whatsapp/whatsapp-test-section.tsx'
import { CloudErrorAlert } from './cloud-error-alert.tsx'
import { CloudFactsSection } from './cloud-facts-section.tsx'
import { CloudTokenSections } from './cloud-token-sections.tsx'
import { CloudCheck, CloudWebhook } from './cloud-webhook.tsx'

/** Live. A disconnected number is not found any more. */
export function WhatsappCloudConnectionPage() {
  const { t } = useTranslation('channels')
  const chatLink = useChatLink()
  const { connectionId } = useParams()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find(({ _id, channel }) => _id === connectionId && channel === 'whatsappCloud')
  return (
    <Page
      title={connection ? connectionName(connection) : channelName('whatsappCloud', currentLanguage())}
      width="narrow"
      actions={
        connection?.status === 'connected' && (
          <a href={chatLink(connection)} target="_blank" rel="noopener noreferrer" className={buttonClasses()}>
            <ExternalLink aria-hidden="true" />
            {t(($) => $.whatsappCloud.openChat)}
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
            <Link to={paths.channel('whatsappCloud')} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.whatsappCloud.backToList)}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <>
          <CloudErrorAlert connection={connection} />
          <State connection={connection} agent={agents.find((agent) => agent._id === connection.agentId)} />
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
    </Page>
  )
}

function State({ connection, agent }: { connection: ChannelConnection; agent: AgentSummary | undefined }) {
  const { t } = useTranslation('channels')
  const never = <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
  const code = (text: string) => <code className="font-mono text-[0.8125rem]">{text}</code>
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
        <Fact label={t(($) => $.connection.delivery)} hint={t(($) => $.whatsappCloud.delivery)}>
          {t(($) => $.delivery[connection.delivery])}
        </Fact>
        <Fact label={t(($) => $.whatsappCloud.phoneNumberId)}>{code(connection.externalAccountId)}</Fact>
        <Fact label={t(($) => $.whatsappCloud.accessToken)} hint={t(($) => $.connection.tokenHint)}>
          {code(connection.maskedToken)}
        </Fact>
        <Fact label={t(($) => $.connection.lastInbound)}>
          {connection.lastInboundAt === null ? never : <RelativeTime at={connection.lastInboundAt} />}
        </Fact>
        <Fact label={t(($) => $.connection.linked)}>
          <DateTime at={connection.linkedAt} />
        </Fact>
      </dl>
    </CardSection>
  )
}
