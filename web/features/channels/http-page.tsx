// /channels/http: the programs of the organization.
import { Plus, Webhook } from 'lucide-react'
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
export function HttpPage() {
  const { t } = useTranslation('channels')
  const { search } = useLocation()
  const all: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections = all?.filter(({ channel }) => channel === 'http')
  const connectLink = (
    <Link to={{ pathname: paths.httpSetup, search }} className={buttonClasses({ variant: 'primary' })}>
      <Plus aria-hidden="true" />
      {t(($) => $.http.connect)}
    </Link>
  )
  return (
    <Page
      title={t(($) => $.http.title)}
      description={t(($) => $.http.subtitle)}
      actions={connections?.length !== 0 && connectLink}
    >
      {(!connections || !agents) && (
        <Delayed>
          <Skeleton className="h-40 rounded-xl" />
        </Delayed>
      )}
      {connections?.length === 0 && (
        <EmptyState
          icon={Webhook}
          title={t(($) => $.http.emptyTitle)}
          description={t(($) => $.http.emptyBody)}
          action={connectLink}
        />
      )}
      {connections && agents && connections.length > 0 && (
        <ConnectionList label={t(($) => $.http.listLabel)} connections={connections} agents={agents} />
      )}
    </Page>
  )
}
