// /integrations: what agents can work with, whether it can be used, and for the calendar how it stands with each agent. `?q=` searches.
import { Blocks, CalendarDays, Code2, Globe, type LucideIcon, Plug, SearchX } from 'lucide-react'
import { parseAsString, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { CalendarConnection } from '#shared/integrations/calendar.ts'
import { AVAILABILITY, INTEGRATIONS, type Integration } from '#shared/integrations/catalogue.ts'
import { api } from '#web/api.ts'
import { ListSearch } from '#web/components/lists/list-search.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { CalendarBadge } from './calendar/calendar-badge.tsx'

const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'
const ICONS: Partial<Record<Integration, LucideIcon>> = {
  googleCalendar: CalendarDays,
  outlookCalendar: CalendarDays,
  webSearch: Globe,
  api: Code2,
  http: Plug,
}
/** Where each is set up; those without a page cannot be used yet. */
const PAGES: Partial<Record<Integration, string>> = {
  googleCalendar: paths.calendarSetup(),
  webSearch: paths.knowledgePart('web-search'),
  api: paths.api,
  http: paths.channel('http'),
}

/** One card for each integration. */
export function IntegrationsPage() {
  const { t } = useTranslation('integrations')
  const [search, setSearch] = useQueryState('q', parseAsString.withDefault(''))
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const calendars: CalendarConnection[] | undefined = useQuery(api.integrations.calendar.list, {})
  const wanted = search.trim().toLocaleLowerCase()
  const found = INTEGRATIONS.filter((integration) => {
    const words = [t(($) => $.items[integration].title), t(($) => $.items[integration].body)]
    return words.join(' ').toLocaleLowerCase().includes(wanted)
  })
  return (
    <Page title={t(($) => $.title)} description={t(($) => $.subtitle)}>
      <ListSearch
        className="sm:max-w-sm"
        label={t(($) => $.search)}
        value={search}
        onChange={(text) => void setSearch(text || null)}
      />
      {found.length === 0 && (
        <EmptyState
          icon={SearchX}
          title={t(($) => $.noneFound)}
          description={t(($) => $.noneFoundHint)}
          action={<Button onClick={() => void setSearch(null)}>{t(($) => $.clearSearch)}</Button>}
        />
      )}
      <ul className={GRID}>
        {found.map((integration) => (
          <li key={integration}>
            <IntegrationCard integration={integration}>
              {integration === 'googleCalendar' && <AgentStates {...{ agents, calendars }} />}
            </IntegrationCard>
          </li>
        ))}
      </ul>
    </Page>
  )
}

function IntegrationCard({ integration, children }: { integration: Integration; children: ReactNode }) {
  const { t } = useTranslation('integrations')
  const Icon = ICONS[integration] ?? Blocks
  const page = PAGES[integration]
  const title = t(($) => $.items[integration].title)
  const availability = AVAILABILITY[integration]
  return (
    <Card className="flex h-full flex-col gap-3 p-5">
      <div className="flex items-start justify-between gap-3">
        <span
          aria-hidden="true"
          className={cn(
            'flex size-10 items-center justify-center rounded-lg',
            page === undefined ? 'bg-muted text-muted-foreground' : 'bg-primary-soft text-primary-soft-foreground',
          )}
        >
          <Icon className="size-5" />
        </span>
        <Badge tone={availability === 'available' ? 'success' : 'neutral'}>
          {t(($) => $.availability[availability])}
        </Badge>
      </div>
      <div>
        <h2 className="font-semibold">
          {page === undefined ? (
            title
          ) : (
            <Link to={page} className="hover:underline">
              {title}
            </Link>
          )}
        </h2>
        <p className="mt-0.5 text-muted-foreground">{t(($) => $.items[integration].body)}</p>
      </div>
      {children}
    </Card>
  )
}

type AgentStatesProps = { agents: AgentSummary[] | undefined; calendars: CalendarConnection[] | undefined }

/** How it stands with each agent, and the way to its setup. */
function AgentStates({ agents, calendars }: AgentStatesProps) {
  const { t } = useTranslation('integrations')
  if (!agents || !calendars) {
    return (
      <Delayed>
        <Skeleton className="h-10" />
      </Delayed>
    )
  }
  if (agents.length === 0) return <p className="text-muted-foreground">{t(($) => $.noAgents)}</p>
  return (
    <ul aria-label={t(($) => $.agentStates)} className="flex flex-col gap-2 border-border border-t pt-3">
      {agents.map(({ _id, slug, name }) => (
        <li key={_id} className="flex items-center justify-between gap-3">
          <Link
            to={paths.calendarSetup(slug)}
            className="min-w-0 truncate py-0.5 text-primary underline underline-offset-4"
          >
            {name}
          </Link>
          <CalendarBadge connection={calendars.find(({ agentId }) => agentId === _id) ?? null} />
        </li>
      ))}
    </ul>
  )
}
