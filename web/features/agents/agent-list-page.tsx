// /agents: every agent of the organization, and the way to the first one.

import { Bot, Plus } from 'lucide-react'
import { parseAsBoolean, useQueryState } from 'nuqs'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { AgentDay } from '#shared/organizations/billing.ts'
import { api } from '#web/api.ts'
import { AccessDeniedNote } from '#web/components/access-denied-note.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { PartBoundary } from '#web/components/ui/part-boundary.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { AgentCard } from './agent-card.tsx'
import { CreateAgentDialog } from './create-agent-dialog.tsx'
import { FirstSteps } from './first-steps.tsx'

/** The list, live. `?create=true` opens the dialog for a new agent. */
export function AgentListPage() {
  const { t } = useTranslation('agents')
  const agents = useQuery(api.agents.list, {})
  const connections = useQuery(api.channelConnections.list, {})
  const spaces = useQuery(api.knowledge.spaces.list, {})
  const models = useQuery(api.models.list, {})
  const [isCreating, setCreating] = useQueryState('create', parseAsBoolean.withDefault(false))
  const mayCreate = useMay('agents.write')
  useShortcut('newItem', () => void setCreating(true), { isEnabled: mayCreate })
  const createButton = mayCreate && (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {t(($) => $.list.create)}
    </Button>
  )
  const isEmpty = agents?.length === 0
  return (
    <Page title={t(($) => $.list.title)} description={t(($) => $.list.subtitle)} actions={!isEmpty && createButton}>
      <AccessDeniedNote />
      {mayCreate && agents && spaces && connections && (
        <FirstSteps agents={agents} spaces={spaces} connections={connections} />
      )}
      {agents ? (
        <AgentList
          agents={agents}
          models={models ?? []}
          connections={connections ?? []}
          empty={
            <EmptyState
              icon={Bot}
              title={t(($) => $.list.emptyTitle)}
              description={t(($) => $.list.emptyBody)}
              action={createButton}
            />
          }
        />
      ) : (
        <Delayed>
          <AgentListSkeleton />
        </Delayed>
      )}
      <CreateAgentDialog
        isOpen={mayCreate && isCreating}
        onOpenChange={(isOpen) => setCreating(isOpen || null)}
        models={models}
      />
    </Page>
  )
}

type AgentListProps = {
  agents: AgentSummary[]
  models: ModelInfo[]
  connections: ChannelConnection[]
  empty: React.ReactNode
}

function AgentList({ agents, models, connections, empty }: AgentListProps) {
  const { timeZone } = useOrganization()
  const days: AgentDay[] | undefined = useQuery(api.billing.listAgentDays, {})
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.now())
  if (agents.length === 0) return empty
  return (
    <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {agents.map((agent) => (
        <li key={agent._id}>
          <PartBoundary text={agent.name} resetKeys={[agent, connections]}>
            <AgentCard
              agent={agent}
              model={models.find((model) => model.name === agent.model)}
              connections={connections.filter(
                ({ agentId, status }) => agentId === agent._id && status !== 'disconnected',
              )}
              day={days?.find(({ agentId, day }) => agentId === agent._id && day === today)}
            />
          </PartBoundary>
        </li>
      ))}
    </ul>
  )
}

function AgentListSkeleton() {
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
      {['a', 'b', 'c'].map((key) => (
        <Skeleton key={key} className="h-37 rounded-xl" />
      ))}
    </div>
  )
}
