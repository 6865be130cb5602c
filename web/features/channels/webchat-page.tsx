// /channels/webchat: the web chats of the organization.
import { MessagesSquare, Plus } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import type { AgentSummary } from '#shared/agents.ts'
import type { ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { ConnectionList } from './connection-list.tsx'

/** The list, live. */
export function WebchatPage() {
  const { t } = useTranslation('channels')
  const { search } = useLocation()
  const all: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections = all?.filter(({ channel }) => channel === 'webchat')
  const connectLink = (
    <Link to={{ pathname: paths.webchatSetup, search }} className={buttonClasses({ variant: 'primary' })}>
      <Plus aria-hidden="true" />
      {t(($) => $.webchat.connect)}
    </Link>
  )
  return (
    <Page
      title={t(($) => $.webchat.title)}
      description={t(($) => $.webchat.subtitle)}
      actions={connections?.length !== 0 && connectLink}
    >
      {(!connections || !agents) && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {connections?.length === 0 && (
        <EmptyState
          icon={MessagesSquare}
          title={t(($) => $.webchat.emptyTitle)}
          description={t(($) => $.webchat.emptyBody)}
          action={connectLink}
        />
      )}
      {connections && agents && connections.length > 0 && (
        <ConnectionList label={t(($) => $.webchat.listLabel)} connections={connections} agents={agents} />
      )}
    </Page>
  )
}
