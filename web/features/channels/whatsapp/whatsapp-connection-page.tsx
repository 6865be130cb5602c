// /channels/whatsapp/:connectionId: how one number is doing, trying it out, and the way to take it off.

import { CircleOff, ExternalLink } from 'lucide-react'
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
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AccountNotice } from '../connection/account-notice.tsx'
import { DisconnectSection } from '../connection/disconnect-section.tsx'
import { Fact } from '../connection/fact.tsx'
import { HealthSection } from '../connection/health-section.tsx'
import { SendingSection } from '../connection/sending-section.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { WhatsappDeliverySection } from './delivery-section.tsx'
import { WhatsappSettingsSection } from './settings-section.tsx'
import { StandInSection } from './stand-in-section.tsx'
import { WhatsappInstanceSection } from './whatsapp-instance-section.tsx'
import { WhatsappTestSection } from './whatsapp-test-section.tsx'
import { WhatsappTokenSection } from './whatsapp-token-section.tsx'

/** Live. A disconnected number is not found any more. */
export function WhatsappConnectionPage() {
  const { t } = useTranslation('channels')
  const { connectionId } = useParams()
  const chatLink = useChatLink()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find(({ _id, channel }) => _id === connectionId && channel === 'whatsapp')
  return (
    <Page
      title={connection ? connectionName(connection) : channelName('whatsapp', currentLanguage())}
      width="narrow"
      actions={
        connection?.accountState === 'authorized' && (
          <a href={chatLink(connection)} target="_blank" rel="noopener noreferrer" className={buttonClasses()}>
            <ExternalLink aria-hidden="true" />
            {t(($) => $.whatsappSetup.openChat)}
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
            <Link to={paths.channel('whatsapp')} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.whatsapp.backToList)}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <>
          <AccountNotice connection={connection} />
          {connection.lastError && (
            <Alert tone="destructive" title={t(($) => $.whatsapp.errorTitle)}>
              <p className="break-words font-mono text-xs">{connection.lastError}</p>
              <p className="mt-1">{t(($) => $.whatsapp.errorHelp)}</p>
            </Alert>
          )}
          <Health connection={connection} agent={agents.find((agent) => agent._id === connection.agentId)} />
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
    </Page>
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
        <Fact label={t(($) => $.connection.delivery)} hint={t(($) => $.whatsapp.delivery[connection.delivery])}>
          {t(($) => $.delivery[connection.delivery])}
        </Fact>
        <Fact label={t(($) => $.whatsappSetup.idInstance)}>
          <code className="font-mono text-[0.8125rem]">{connection.externalAccountId}</code>
        </Fact>
        <Fact label={t(($) => $.whatsappSetup.apiToken)} hint={t(($) => $.connection.tokenHint)}>
          <code className="font-mono text-[0.8125rem]">{connection.maskedToken}</code>
        </Fact>
        <Fact label={t(($) => $.connection.lastInbound)}>
          {connection.lastInboundAt === null ? never : <RelativeTime at={connection.lastInboundAt} />}
        </Fact>
        <Fact label={t(($) => $.whatsapp.stateTold)}>
          {connection.accountStateAt === null ? never : <RelativeTime at={connection.accountStateAt} />}
        </Fact>
        <Fact label={t(($) => $.connection.linked)}>
          <DateTime at={connection.linkedAt} />
        </Fact>
      </dl>
    </CardSection>
  )
}
