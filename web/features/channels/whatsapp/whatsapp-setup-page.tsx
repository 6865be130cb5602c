// /channels/whatsapp/setup: from an agent and an instance to a linked phone and the first message. The step is read from the URL and
// from the connection itself, so a link resumes it.
import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { type ChannelConnection, isFrozen } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { AgentStep } from '../setup/agent-step.tsx'
import { InstanceStep } from '../setup/instance-step.tsx'
import { LinkStep } from '../setup/link-step.tsx'
import { Steps } from '../setup/steps.tsx'
import { WhatsappDoneStep } from '../setup/whatsapp-done-step.tsx'
import { pageWith, useDemonstration } from '../use-demonstration.ts'

/** `?agentSlug=` is the chosen agent, `?step=instance` says that the choice is made, `?connection=` is the connected instance. */
export function WhatsappSetupPage() {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  return (
    <Page title={t(($) => $.whatsappSetup.title)} width="narrow">
      {(!agents || !connections) && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.whatsappSetup.noAgentsBody)}
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

const STEPS = ['agent', 'instance', 'link', 'done'] as const

function Wizard({ agents, connections }: { agents: AgentSummary[]; connections: ChannelConnection[] }) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step, connection: connectionId }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const demonstration = useDemonstration()
  const connection = connections.find(({ _id, channel }) => _id === connectionId && channel === 'whatsapp')
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const current = stepOf(connection, step === 'instance' && agent !== undefined)
  const names = {
    agent: t(($) => $.setup.stepAgent),
    instance: t(($) => $.whatsappSetup.stepInstance),
    link: t(($) => $.whatsappSetup.stepLink),
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
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'instance' })}
        />
      )}
      {current === 'instance' && agent && (
        <InstanceStep
          agent={agent}
          onBack={() => setQuery({ step: null })}
          onConnected={({ _id }) => setQuery({ connection: _id, step: null }, { history: 'replace' })}
        />
      )}
      {current === 'link' && connection && demonstration && (
        <DemonstrationHint
          what="link"
          href={pageWith(demonstration.whatsapp, { number: connection.externalAccountId })}
        />
      )}
      {current === 'link' && connection && <LinkStep key={connection._id} connection={connection} />}
      {current === 'done' && connection && <WhatsappDoneStep connection={connection} />}
    </div>
  )
}

/** An account that may not send has its phone still to be linked, or is restarting after its settings were changed. */
function stepOf(connection: ChannelConnection | undefined, hasAgent: boolean): (typeof STEPS)[number] {
  if (!connection) return hasAgent ? 'instance' : 'agent'
  return isFrozen(connection.accountState) ? 'link' : 'done'
}
