// The connections of one channel, one below the other.
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Card } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { connectionName, connectionPath } from '#web/lib/server/connections.ts'
import { StatusBadge } from './status-badge.tsx'

/** `search`: the query that goes along. */
type ConnectionListProps = { label: string; connections: ChannelConnection[]; agents: AgentSummary[]; search: string }

/** Each leads to its page. */
export function ConnectionList({ label, connections, agents, search }: ConnectionListProps) {
  return (
    <Card>
      <ul aria-label={label} className="divide-y divide-border">
        {connections.map((connection) => (
          <li key={connection._id} className="relative px-5 py-4 hover:bg-muted/60">
            <PartBoundary text={connection.identifier} resetKeys={[connection]}>
              <ConnectionRow
                connection={connection}
                agent={agents.find((agent) => agent._id === connection.agentId)}
                search={search}
              />
            </PartBoundary>
          </li>
        ))}
      </ul>
    </Card>
  )
}

type ConnectionRowProps = { connection: ChannelConnection; agent: AgentSummary | undefined; search: string }

function ConnectionRow({ connection, agent, search }: ConnectionRowProps) {
  const { t } = useTranslation('channels')
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <div className="min-w-0 flex-1 basis-52">
        <Link to={{ pathname: connectionPath(connection), search }} className="link-cover block truncate font-medium">
          {connectionName(connection)}
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
      <StatusBadge connection={connection} />
    </div>
  )
}
