// /channels/http/setup: from an agent and an address to the secrets. The step is read from the URL; the secrets are in no URL, so who
// comes back goes on to the page of the connection.
import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { useState } from 'react'
import { Link, Navigate } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection, HttpSecrets } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AddressStep } from '../setup/address-step.tsx'
import { AgentStep } from '../setup/agent-step.tsx'
import { SecretsStep } from '../setup/secrets-step.tsx'
import { Steps } from '../setup/steps.tsx'

/** `?agentSlug=` is the chosen agent, `?step=address` says that the choice is made, `?connection=` what was made. */
export function HttpSetupPage() {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  return (
    <Page title={t(($) => $.httpSetup.title)} width="narrow">
      {!agents && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.httpSetup.noAgentsBody)}
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

const STEPS = ['agent', 'address', 'done'] as const

function Wizard({ agents }: { agents: AgentSummary[] }) {
  const { t } = useTranslation('channels')
  const [{ agentSlug, step, connection }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString, connection: parseAsString },
    { history: 'push' },
  )
  const [made, setMade] = useState<{ connection: ChannelConnection; secrets: HttpSecrets }>()
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const current = made ? 'done' : step === 'address' && agent ? 'address' : 'agent'
  function show(next: { connection: ChannelConnection; secrets: HttpSecrets }) {
    setMade(next)
    void setQuery({ connection: next.connection._id }, { history: 'replace' })
  }
  if (connection && !made) return <Navigate to={paths.channelConnection('http', connection)} replace />
  return (
    <div className="flex flex-col gap-6">
      <Steps
        names={[t(($) => $.setup.stepAgent), t(($) => $.httpSetup.stepAddress), t(($) => $.setup.stepDone)]}
        at={STEPS.indexOf(current)}
      />
      {current === 'agent' && (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'address' })}
        />
      )}
      {current === 'address' && agent && (
        <AddressStep agent={agent} onBack={() => setQuery({ step: null })} onConnected={show} />
      )}
      {made && <SecretsStep {...made} />}
    </div>
  )
}
