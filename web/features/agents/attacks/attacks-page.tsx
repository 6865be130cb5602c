// /agents/:slug/attacks: what the agent does with written attacks. ?check= is the check that is looked at, the newest without it.
import { ShieldAlert } from 'lucide-react'
import { useQueryState } from 'nuqs'
import { useParams } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import type { AttackCheck } from '#shared/messaging/attack-checks.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAgent } from '#web/lib/server/use-entity.ts'
import { CheckResult } from './check-result.tsx'
import { EarlierChecks } from './earlier-checks.tsx'
import { RunningCheck } from './running-check.tsx'
import { StartCheck } from './start-check.tsx'

/** Live. */
export function AttacksPage() {
  const { t } = useTranslation('attacks')
  const { slug } = useParams()
  const { entity: agent, name } = useAgent(slug)
  const checks: AttackCheck[] | undefined = useQuery(api.attackChecks.list, agent ? { agentId: agent._id } : 'skip')
  return (
    <Page
      title={name ? t(($) => $.titleOf, { name }) : t(($) => $.title)}
      description={t(($) => $.description)}
      width="narrow"
    >
      {agent && checks ? (
        <>
          {agent.version > agent.liveVersion && <Alert tone="info">{t(($) => $.draft)}</Alert>}
          <Checks agent={agent} checks={checks} />
        </>
      ) : (
        <Delayed>
          <Skeleton className="h-64 rounded-xl" />
        </Delayed>
      )}
    </Page>
  )
}

function Checks({ agent, checks }: { agent: Agent; checks: AttackCheck[] }) {
  const { t } = useTranslation('attacks')
  const [checkId, setCheckId] = useQueryState('check')
  const shown = checks.find(({ _id }) => _id === checkId) ?? checks[0]
  const isRunning = checks.some(({ status }) => status === 'running')
  return (
    <>
      {!shown && <EmptyState icon={ShieldAlert} title={t(($) => $.empty.title)} description={t(($) => $.empty.body)} />}
      {shown?.status === 'running' && <RunningCheck check={shown} />}
      {shown && shown.status !== 'running' && <CheckResult key={shown._id} agent={agent} check={shown} />}
      <StartCheck agent={agent} isRunning={isRunning} onStarted={() => void setCheckId(null)} />
      {checks.length > 1 && <EarlierChecks checks={checks} shown={shown} />}
    </>
  )
}
