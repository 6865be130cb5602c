// /agents/:slug/functions: all that an agent can do besides talking, built-in and added, with switches and how it goes.
import { ShieldAlert } from 'lucide-react'
import { useQueryState } from 'nuqs'
import { Link, useParams } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import { type AgentFunctionState, FUNCTION_DAYS } from '#shared/tools/functions.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useAgent } from '#web/lib/server/use-entity.ts'
import { May, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { FunctionRow } from './function-row.tsx'

/** Live: a call that a customer's question causes is seen at once. */
export function FunctionsPage() {
  const { t } = useTranslation('tools')
  const { slug } = useParams()
  const { entity: agent, name } = useAgent(slug)
  const functions: AgentFunctionState[] | undefined = useQuery(
    api.agentFunctions.overview,
    agent ? { agentId: agent._id } : 'skip',
  )
  const title = t(($) => $.functions.title)
  return (
    <Page
      title={name ? t(($) => $.functions.titleOf, { name }) : title}
      description={t(($) => $.functions.description)}
      width="narrow"
      actions={
        agent && (
          <May need="agents.test">
            <Link to={paths.agentAttacks(agent.slug)} className={buttonClasses()}>
              <ShieldAlert aria-hidden="true" />
              {t(($) => $.functions.toAttacks)}
            </Link>
          </May>
        )
      }
    >
      {agent && functions ? (
        <WritableBy permission="agents.write">
          {agent.version > agent.liveVersion && <Alert tone="info">{t(($) => $.functions.draft)}</Alert>}
          <Functions agent={agent} functions={functions} />
        </WritableBy>
      ) : (
        <Delayed>
          <Skeleton className="h-64 rounded-xl" />
        </Delayed>
      )}
    </Page>
  )
}

function Functions({ agent, functions }: { agent: Agent; functions: AgentFunctionState[] }) {
  const { t } = useTranslation('tools')
  const [open, setOpen] = useQueryState('function')
  const rows = (kind: AgentFunctionState['kind']) =>
    functions
      .filter((each) => each.kind === kind)
      .map((each) => (
        <FunctionRow
          key={each.name}
          agent={agent}
          state={each}
          isOpen={open === each.name}
          onOpen={(isOpen) => void setOpen(isOpen ? each.name : null)}
        />
      ))
  const added = rows('http')
  const ofServers = rows('mcp')
  const days = t(($) => $.functions.days, { count: FUNCTION_DAYS })
  return (
    <>
      <CardSection title={t(($) => $.functions.builtIn)} description={days}>
        <ul className="divide-y divide-border">{rows('built-in')}</ul>
      </CardSection>
      <CardSection
        title={t(($) => $.functions.added)}
        description={t(($) => $.functions.addedHint)}
        actions={
          <Link to={paths.tools} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.functions.toTools)}
          </Link>
        }
      >
        {added.length === 0 && <p className="text-muted-foreground">{t(($) => $.functions.none)}</p>}
        <ul className="divide-y divide-border">{added}</ul>
      </CardSection>
      <CardSection
        title={t(($) => $.mcp.functions)}
        description={t(($) => $.mcp.functionsHint)}
        actions={
          <Link to={paths.tools} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.mcp.toServers)}
          </Link>
        }
      >
        {ofServers.length === 0 && <p className="text-muted-foreground">{t(($) => $.mcp.functionsNone)}</p>}
        <ul className="divide-y divide-border">{ofServers}</ul>
      </CardSection>
    </>
  )
}
