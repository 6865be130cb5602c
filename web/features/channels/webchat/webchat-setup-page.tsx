// /channels/webchat/setup: from an agent and a few choices to a chat that works. The step is read from the URL, so a link resumes it.
import { Bot } from 'lucide-react'
import { parseAsString, useQueryStates } from 'nuqs'
import { Link, useNavigate } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useAction, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { AgentStep } from '../setup/agent-step.tsx'
import { Steps } from '../setup/steps.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { newWidget } from './widget.rules.ts'
import { WidgetForm } from './widget-form.tsx'

/** `?agentSlug=` is the chosen agent, `?step=look` says that the choice is made. */
export function WebchatSetupPage() {
  const { t } = useTranslation('channels')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  return (
    <Page title={t(($) => $.webchat.setupTitle)}>
      {!agents && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.setup.noAgentsTitle)}
          description={t(($) => $.webchat.noAgentsBody)}
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

function Wizard({ agents }: { agents: AgentSummary[] }) {
  const { t } = useTranslation('channels')
  const navigate = useNavigate()
  const demonstration = useDemonstration()
  const provision = useAction(api.channels.webchat.provision)
  const [{ agentSlug, step }, setQuery] = useQueryStates(
    { agentSlug: parseAsString, step: parseAsString },
    { history: 'push' },
  )
  const agent =
    agents.find(({ _id, slug }) => slug === agentSlug || _id === agentSlug) ??
    (agents.length === 1 ? agents[0] : undefined)
  const isLook = step === 'look' && agent !== undefined
  return (
    <div className="flex flex-col gap-6">
      <Steps
        names={[t(($) => $.setup.stepAgent), t(($) => $.webchat.look), t(($) => $.setup.stepDone)]}
        at={isLook ? 1 : 0}
      />
      {isLook && demonstration && (
        <DemonstrationHint what="site" href={demonstration.webchat} host={new URL(demonstration.webchat).host} />
      )}
      {isLook ? (
        <WidgetForm
          widget={newWidget(agent.name, {
            ru: t(($) => $.webchat.defaultGreeting.ru),
            en: t(($) => $.webchat.defaultGreeting.en),
          })}
          avatar={agent.avatar}
          submitLabel={t(($) => $.webchat.create)}
          onBack={() => setQuery({ step: null })}
          onSubmit={async (widget) => {
            const { _id } = await provision({ agentId: agent._id, widget })
            toast.success(t(($) => $.webchat.created))
            await navigate(paths.channelConnection('webchat', _id))
          }}
        />
      ) : (
        <AgentStep
          agents={agents}
          chosen={agent}
          onChoose={({ slug }) => setQuery({ agentSlug: slug }, { history: 'replace' })}
          onContinue={({ slug }) => setQuery({ agentSlug: slug, step: 'look' })}
        />
      )}
    </div>
  )
}
