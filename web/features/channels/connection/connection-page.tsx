// The frame of every page of a connection: its name, the way back when it is gone, and the sections that its channel has.

import { CircleOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useParams } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { type ConnectedChannel, channelName } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { May, WritableBy } from '#web/lib/sign-in/permissions.tsx'

type ConnectionPageProps = {
  channel: ConnectedChannel
  /** What leads to the list when this one is not there. */
  backToList: string
  isWide?: boolean
  actions?: (connection: ChannelConnection) => ReactNode
  /** `agent`: undefined when it was deleted. */
  children: (connection: ChannelConnection, agent: AgentSummary | undefined) => ReactNode
}

/** Live. One that was disconnected is not found any more. */
export function ConnectionPage({ channel, backToList, isWide = false, actions, children }: ConnectionPageProps) {
  const { t } = useTranslation('channels')
  const { connectionId } = useParams()
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connection = connections?.find((each) => each._id === connectionId && each.channel === channel)
  return (
    <Page
      title={connection ? connectionName(connection) : channelName(channel, currentLanguage())}
      width={isWide ? 'wide' : 'narrow'}
      actions={connection && actions && <May need="channels.write">{actions(connection)}</May>}
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
              {backToList}
            </Link>
          }
        />
      )}
      {connection && agents && (
        <WritableBy permission="channels.write">
          {children(
            connection,
            agents.find(({ _id }) => _id === connection.agentId),
          )}
        </WritableBy>
      )}
    </Page>
  )
}
