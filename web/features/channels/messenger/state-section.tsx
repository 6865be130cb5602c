// What is known of an account of a messenger at a glance.

import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { Fact } from '../connection/fact.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'

type StateProps = { channel: MessengerChannel; connection: ChannelConnection; agent: AgentSummary | undefined }

/** Live. */
export function MessengerState({ channel, connection, agent }: StateProps) {
  const { t } = useTranslation('channels')
  const name = channelName(channel, currentLanguage())
  const never = <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
  const code = (text: string) => <code className="font-mono text-[0.8125rem]">{text}</code>
  const ways = {
    webhook: t(($) => $.messenger.deliveryWebhook, { name }),
    polling: t(($) => $.messenger.deliveryPolling, { name }),
  }
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
        <Fact label={t(($) => $.connection.delivery)} hint={ways[connection.delivery]}>
          {t(($) => $.delivery[connection.delivery])}
        </Fact>
        <Fact label={t(($) => $.messenger.account)}>{code(connection.externalAccountId)}</Fact>
        <Fact label={t(($) => $.messenger.secret)} hint={t(($) => $.connection.tokenHint)}>
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
