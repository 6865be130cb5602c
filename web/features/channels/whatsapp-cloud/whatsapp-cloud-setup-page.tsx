// /channels/whatsapp-cloud/setup: from an agent and a number to delivery and the first message. The step is read from the URL and from
// the connection itself, so a link resumes it.
import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AgentStep } from '../setup/agent-step.tsx'
import { CloudDoneStep } from '../setup/cloud-done-step.tsx'
import { CloudNumberStep } from '../setup/cloud-number-step.tsx'
import { CloudWebhookStep } from '../setup/cloud-webhook-step.tsx'
import { Steps } from '../setup/steps.tsx'

/** `?agentSlug=` is the chosen agent, `?step=number` says that the choice is made, `?connection=` is the connected number. */
export function WhatsappCloudSetupPage() {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  return (
    <Page title={t(($) => $.cloudSetup.title)} width="narrow">
      {(!agents || !connections) && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.cloudSetup.noAgentsBody)}
          action={
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.setup.createAgent)}
            </Link>
          }
        />
      )}
      {agents && agents.length > 0 && connections && <Wizard agents={agents} connections={connections} />}
    </Page>
  )
}

const STEPS = ['agent', 'number', 'webhook', 'done'] as const

function Wizard({ agents, connections }: { agents: AgentSummary[]; connections: ChannelConnection[] }) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step, connection: connectionId }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const connection = connections.find(({ _id, channel }) => _id === connectionId && channel === 'whatsappCloud')
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const current = stepOf(connection, step === 'number' && agent !== undefined)
  const names = {
    agent: t(($) => $.setup.stepAgent),
    number: t(($) => $.cloudSetup.stepNumber),
    webhook: t(($) => $.cloudSetup.stepWebhook),
    done: t(($) => $.setup.stepDone),
  }
  return (
    <div className="flex flex-col gap-6">
      <Steps names={STEPS.map((each) => names[each])} at={STEPS.indexOf(current)} />
      {current === 'agent' && (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'number' })}
        />
      )}
      {current === 'number' && agent && (
        <CloudNumberStep
          agent={agent}
          onBack={() => setQuery({ step: null })}
          onConnected={({ _id }) => setQuery({ connection: _id, step: null }, { history: 'replace' })}
        />
      )}
      {current === 'webhook' && connection && <CloudWebhookStep key={connection._id} connection={connection} />}
      {current === 'done' && connection && <CloudDoneStep connection={connection} />}
    </div>
  )
}

/** Pending until Meta delivers to it; in error while it refuses to. */
function stepOf(connection: ChannelConnection | undefined, hasAgent: boolean): (typeof STEPS)[number] {
  if (!connection) return hasAgent ? 'number' : 'agent'
  return connection.status === 'pending' || connection.status === 'error' ? 'webhook' : 'done'
}
