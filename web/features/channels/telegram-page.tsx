// /channels/telegram: the bots of the organization.
import { Plus, Send } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { AgentSummary } from '#shared/agents.ts'
import type { ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { StatusBadge } from './status-badge.tsx'

/** The list, live. */
export function TelegramPage() {
  const { t } = useTranslation('channels')
  const { search } = useLocation()
  const all: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections = all?.filter(({ channel }) => channel === 'telegram')
  const connectLink = (
    <Link to={{ pathname: paths.telegramSetup, search }} className={buttonClasses({ variant: 'primary' })}>
      <Plus aria-hidden="true" />
      {t(($) => $.telegram.connect)}
    </Link>
  )
  return (
    <Page
      title={t(($) => $.telegram.title)}
      description={t(($) => $.telegram.subtitle)}
      actions={connections?.length !== 0 && connectLink}
    >
      {(!connections || !agents) && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {connections?.length === 0 && (
        <EmptyState
          icon={Send}
          title={t(($) => $.telegram.emptyTitle)}
          description={t(($) => $.telegram.emptyBody)}
          action={connectLink}
        />
      )}
      {connections && agents && connections.length > 0 && (
        <Card>
          <ul aria-label={t(($) => $.telegram.listLabel)} className="divide-y divide-border">
            {connections.map((connection) => (
              <ConnectionRow
                key={connection._id}
                connection={connection}
                agent={agents.find((agent) => agent._id === connection.agentId)}
              />
            ))}
          </ul>
        </Card>
      )}
    </Page>
  )
}

function ConnectionRow({ connection, agent }: { connection: ChannelConnection; agent: AgentSummary | undefined }) {
  const { t } = useTranslation('channels')
  return (
    <li className="relative flex flex-wrap items-center gap-x-4 gap-y-1 px-5 py-4 hover:bg-muted/60">
      <div className="min-w-0 flex-1 basis-52">
        <Link to={paths.telegramConnection(connection._id)} className="link-cover block truncate font-medium">
          @{connection.identifier}
        </Link>
        <p className="truncate text-[0.8125rem] text-muted-foreground">
          {t(($) => $.telegram.agent, { name: agent?.name ?? t(($) => $.telegram.deletedAgent) })}
        </p>
      </div>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {t(($) => $.telegram.messages, { count: connection.messagesProcessed })}
        {connection.lastInboundAt !== null && (
          <>
            {' · '}
            <RelativeTime at={connection.lastInboundAt} />
          </>
        )}
      </p>
      <StatusBadge status={connection.status} />
    </li>
  )
}
