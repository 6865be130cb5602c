// /channels/telegram/setup: from an agent and a token to the first message. The step is read from the URL, so a link resumes it.
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
import { DoneStep } from '../setup/done-step.tsx'
import { Steps } from '../setup/steps.tsx'
import { TokenStep } from '../setup/token-step.tsx'

/** `?agentSlug=` is the chosen agent, `?step=token` says that the choice is made, `?connection=` is the connected bot. */
export function TelegramSetupPage() {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  return (
    <Page title={t(($) => $.setup.title)} width="narrow">
      {!agents && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.setup.noAgentsBody)}
          action={
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.setup.createAgent)}
            </Link>
          }
        />
      )}
      {agents && agents.length > 0 && <Wizard agents={agents} />}
    </Page>
  )
}

const STEPS = ['agent', 'token', 'done'] as const

function Wizard({ agents }: { agents: AgentSummary[] }) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step, connection: connectionId }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const connection = connections?.find(({ _id }) => _id === connectionId)
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const current = connection ? 'done' : step === 'token' && agent ? 'token' : 'agent'
  return (
    <div className="flex flex-col gap-6">
      <Steps
        names={[t(($) => $.setup.stepAgent), t(($) => $.setup.stepToken), t(($) => $.setup.stepDone)]}
        at={STEPS.indexOf(current)}
      />
      {current === 'agent' && (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'token' })}
        />
      )}
      {current === 'token' && agent && (
        <TokenStep
          agent={agent}
          onBack={() => setQuery({ step: null })}
          onConnected={({ _id }) => setQuery({ connection: _id, step: null }, { history: 'replace' })}
        />
      )}
      {connection && <DoneStep connection={connection} />}
    </div>
  )
}
