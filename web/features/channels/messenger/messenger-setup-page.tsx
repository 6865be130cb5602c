// /channels/max/setup and the like: from an agent and what was copied at the provider to the first message. The step is read from the URL
// and from the connection itself, so a link resumes it.

import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { messengerForm } from '#shared/channels/messenger-forms.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AgentStep } from '../setup/agent-step.tsx'
import { Steps } from '../setup/steps.tsx'
import { EntryStep } from './entry-step.tsx'
import { MessengerDoneStep } from './messenger-done-step.tsx'
import { WebhookStep } from './webhook-step.tsx'

/** `?agentSlug=` is the chosen agent, `?step=entry` says that the choice is made, `?connection=` is the connected account. */
export function MessengerSetupPage({ channel }: { channel: MessengerChannel }) {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const name = channelName(channel, currentLanguage())
  return (
    <Page title={t(($) => $.messenger.setupTitle, { name })} width="narrow">
      {(!agents || !connections) && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.messenger.noAgentsBody)}
          action={
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.setup.createAgent)}
            </Link>
          }
        />
      )}
      {agents && agents.length > 0 && connections && (
        <Wizard channel={channel} agents={agents} connections={connections} />
      )}
    </Page>
  )
}

type Step = 'agent' | 'entry' | 'webhook' | 'done'
type WizardProps = { channel: MessengerChannel; agents: AgentSummary[]; connections: ChannelConnection[] }

function Wizard({ channel, agents, connections }: WizardProps) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step, connection: connectionId }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const connection = connections.find((each) => each._id === connectionId && each.channel === channel)
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const isByHand = messengerForm(channel).pointing === 'byHand'
  const current = connection ? stepAfter(connection, isByHand) : step === 'entry' && agent ? 'entry' : 'agent'
  const names: Record<Step, string> = {
    agent: t(($) => $.setup.stepAgent),
    entry: t(($) => $.messenger.stepEntry),
    webhook: t(($) => $.messenger.stepWebhook),
    done: t(($) => $.setup.stepDone),
  }
  const steps: Step[] = isByHand ? ['agent', 'entry', 'webhook', 'done'] : ['agent', 'entry', 'done']
  return (
    <div className="flex flex-col gap-6">
      <Steps names={steps.map((each) => names[each])} at={steps.indexOf(current)} />
      {current === 'agent' && (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'entry' })}
        />
      )}
      {current === 'entry' && agent && (
        <EntryStep
          channel={channel}
          agent={agent}
          onBack={() => setQuery({ step: null })}
          onConnected={({ _id }) => setQuery({ connection: _id, step: null }, { history: 'replace' })}
        />
      )}
      {current === 'webhook' && connection && (
        <WebhookStep key={connection._id} channel={channel} connection={connection} />
      )}
      {current === 'done' && connection && <MessengerDoneStep channel={channel} connection={connection} />}
    </div>
  )
}

/** Where that is done by hand, not done until a person has told the provider where to deliver, and it has agreed to. */
function stepAfter({ status }: ChannelConnection, isByHand: boolean): Step {
  return isByHand && (status === 'pending' || status === 'error') ? 'webhook' : 'done'
}
