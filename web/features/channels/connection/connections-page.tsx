// /channels/<channel>: the connections of one channel, live, and the way to another.

import { Plus } from 'lucide-react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { channelIcon } from '#web/components/channel-icon.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { AgentFilter } from '../agent-filter.tsx'
import { useAgentFilter } from '../use-agent-filter.ts'
import { useChannelWords } from '../use-channel-words.ts'
import { ConnectionList } from './connection-list.tsx'

/** The list of one channel. Its texts are those of the channel's own name. The query comes along to where another is connected. */
export function ConnectionsPage({ channel }: { channel: ChannelConnection['channel'] }) {
  const all: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const { agent, search, clear, filter } = useAgentFilter(agents)
  const words = useChannelWords()(channel)
  const connections = all && filter(all).filter((connection) => connection.channel === channel)
  const connectLink = (
    <May need="channels.write">
      {' '}
      <Link to={{ pathname: paths.channelSetup(channel), search }} className={buttonClasses({ variant: 'primary' })}>
        <Plus aria-hidden="true" />
        {words.connect}
      </Link>
    </May>
  )
  return (
    <Page title={words.title} description={words.subtitle} actions={connections?.length !== 0 && connectLink}>
      <AgentFilter agent={agent} onClear={clear} />
      {(!connections || !agents) && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {connections?.length === 0 && (
        <EmptyState
          icon={channelIcon(channel)}
          title={words.emptyTitle}
          description={words.emptyBody}
          action={connectLink}
        />
      )}
      {connections && agents && connections.length > 0 && (
        <ConnectionList label={words.listLabel} connections={connections} agents={agents} search={search} />
      )}
    </Page>
  )
}
