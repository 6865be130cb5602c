// The frame of every channel's setup: the choice of an agent, then the steps of the channel. The current step follows from the URL and the
// connection itself, so a link resumes it.
import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { ConnectedChannel } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AgentStep } from './agent-step.tsx'
import { Steps } from './steps.tsx'

/** Props of a step after the choice of an agent. `connection`: once it is created. `onBack` leads to that choice. */
export type StepProps<Step extends string> = {
  step: Step
  agent: AgentSummary | undefined
  connection: ChannelConnection | undefined
  /** From the URL: it may not be loaded yet. */
  connectionId: string | null
  onBack: () => void
  onConnected: (connection: Pick<ChannelConnection, '_id'>) => void
}

type SetupWizardProps<Step extends string> = {
  channel: ConnectedChannel
  title: string
  /** Shown where there is no agent to connect. */
  noAgents: string
  isWide?: boolean
  /** The steps after the choice of an agent, with names, in order: the first creates the connection, the last is a state, not a task. */
  steps: readonly (readonly [step: Step, name: string])[]
  /** The step of a connection, which may not be loaded yet; null: there is none. Left out: the last step once the connection exists. */
  stepOf?: (connection: ChannelConnection | undefined, connectionId: string | null) => Step | null
  show: (props: StepProps<Step>) => ReactNode
}

/** `?agentSlug=` is the chosen agent, `?step=` says that the choice is made, `?connection=` is what was connected. */
export function SetupWizard<Step extends string>(props: SetupWizardProps<Step>) {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  return (
    <Page title={props.title} width={props.isWide ? 'wide' : 'narrow'}>
      {(!agents || !connections) && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={props.noAgents}
          action={
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.setup.createAgent)}
            </Link>
          }
        />
      )}
      {agents && agents.length > 0 && connections && <Wizard {...props} agents={agents} connections={connections} />}
    </Page>
  )
}

type WizardProps<Step extends string> = SetupWizardProps<Step> & {
  agents: AgentSummary[]
  connections: ChannelConnection[]
}

function Wizard<Step extends string>({ channel, steps, stepOf, show, agents, connections }: WizardProps<Step>) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step: asked, connection: connectionId }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const connection = connections.find((each) => each._id === connectionId && each.channel === channel)
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const entry = steps[0]?.[0]
  const reached = stepOf ? stepOf(connection, connectionId) : connection && steps.at(-1)?.[0]
  const step = reached ?? (asked === entry && agent ? entry : undefined)
  return (
    <div className="flex flex-col gap-6">
      <Steps
        names={[t(($) => $.setup.stepAgent), ...steps.map(([, name]) => name)]}
        at={1 + steps.findIndex(([each]) => each === step)}
      />
      {step === undefined ? (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: entry ?? null })}
        />
      ) : (
        show({
          step,
          agent,
          connection,
          connectionId,
          onBack: () => void setQuery({ step: null }),
          onConnected: ({ _id }) => void setQuery({ connection: _id, step: null }, { history: 'replace' }),
        })
      )}
    </div>
  )
}
