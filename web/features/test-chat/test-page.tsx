// /test: which agent to talk to.
import { BookOpen, Bot } from 'lucide-react'
import { Link, Navigate, useLocation } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { api } from '#web/api.ts'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { useModelLabel } from '#web/lib/use-model-label.ts'

/** Every agent leads to its own test chat; one that the address names, `?agentSlug=`, at once. */
export function TestPage() {
  const { t } = useTranslation('test-chat')
  const { search } = useLocation()
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const modelLabel = useModelLabel()
  const query = new URLSearchParams(search)
  const named = query.get('agentSlug')
  if (named) {
    query.delete('agentSlug') // what else a link carries stays in it
    return <Navigate to={{ pathname: paths.agentTest(named), search: query.toString() }} replace />
  }
  return (
    <Page title={t(($) => $.picker.title)} description={t(($) => $.picker.subtitle)}>
      {!agents && (
        <Delayed>
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            <Skeleton className="h-20 rounded-xl" />
            <Skeleton className="h-20 rounded-xl" />
          </div>
        </Delayed>
      )}
      {agents?.length === 0 && (
        <EmptyState
          icon={Bot}
          title={t(($) => $.picker.emptyTitle)}
          description={t(($) => $.picker.emptyBody)}
          action={
            <Link to={paths.newAgent} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.picker.createAgent)}
            </Link>
          }
        />
      )}
      {agents && agents.length > 0 && (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {agents.map((agent) => (
            <li key={agent._id}>
              <Card className="relative flex items-center gap-3 p-4 transition-shadow hover:shadow-raised">
                <Avatar avatar={agent.avatar} name={agent.name} className="size-11 text-sm" />
                <div className="min-w-0 flex-1">
                  <Link
                    to={paths.agentTest(agent.slug)}
                    aria-label={t(($) => $.picker.start, { name: agent.name })}
                    className="link-cover block truncate font-semibold"
                  >
                    {agent.name}
                  </Link>
                  <p className="truncate text-[0.8125rem] text-muted-foreground">{modelLabel(agent.model)}</p>
                </div>
                {agent.knowledgeSpaceIds.length > 0 && (
                  <BookOpen
                    role="img"
                    aria-label={t(($) => $.picker.hasKnowledge)}
                    className="size-4 shrink-0 text-muted-foreground"
                  />
                )}
              </Card>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
