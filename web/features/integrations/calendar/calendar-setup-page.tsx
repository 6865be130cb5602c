// /integrations/google_calendar/setup: the calendar of one agent (`?agentSlug=`), in five tabs (`?tab=`). `?result=` says how a consent ended.
import { CalendarDays } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { type CalendarConnection, type CalendarSettings, CONSENT_RESULTS } from '#shared/integrations/calendar.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { AvailabilityTab } from './availability-tab.tsx'
import { CalendarsTab } from './calendars-tab.tsx'
import { ConnectionTab } from './connection-tab.tsx'
import { RemindersTab } from './reminders-tab.tsx'
import { TemplatesTab } from './templates-tab.tsx'

const TABS = ['connection', 'calendars', 'templates', 'availability', 'reminders'] as const
type Tab = (typeof TABS)[number]

/** The first agent without a slug, or with one that there is not. */
export function CalendarSetupPage() {
  const { t } = useTranslation('integrations')
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [agentSlug, setAgentSlug] = useQueryState('agentSlug')
  const [, setResult] = useConsentResult()
  const agent = agents?.find(({ slug, _id }) => slug === agentSlug || _id === agentSlug) ?? agents?.[0]
  return (
    <Page width="narrow" title={t(($) => $.calendar.title)} description={t(($) => $.calendar.subtitle)}>
      {!agents && <Waiting />}
      {agents && !agent && <NoAgents />}
      {agents && agent && (
        <>
          <Field label={t(($) => $.calendar.agent)}>
            <Select
              className="sm:max-w-sm"
              value={agent.slug}
              onValueChange={(slug) => {
                void setResult(null)
                void setAgentSlug(slug)
              }}
              options={agents.map(({ slug, name }) => ({ value: slug, label: name }))}
            />
          </Field>
          <Setup key={agent._id} agent={agent} />
        </>
      )}
    </Page>
  )
}

function useConsentResult() {
  return useQueryState('result', parseAsStringLiteral(CONSENT_RESULTS))
}

type Loaded = { connection: CalendarConnection | null; settings: CalendarSettings }

function Setup({ agent }: { agent: AgentSummary }) {
  const { t } = useTranslation('integrations')
  const [tab, setTab] = useQueryState('tab', parseAsStringLiteral(TABS).withDefault('connection'))
  const loaded: Loaded | undefined = useQuery(api.integrations.calendar.get, { agentId: agent._id })
  const [result] = useConsentResult()
  if (!loaded) return <Waiting />
  const { connection, settings } = loaded
  const isOutdated = result === 'connected' && connection?.status !== 'connected'
  const panels: Record<Tab, ReactNode> = {
    connection: <ConnectionTab agent={agent} connection={connection} />,
    calendars: <CalendarsTab agentId={agent._id} connection={connection} saved={settings.calendars} />,
    templates: <TemplatesTab agent={agent} saved={settings.templates} />,
    availability: <AvailabilityTab agentId={agent._id} saved={settings.availability} />,
    reminders: <RemindersTab agentId={agent._id} saved={settings.customerReminders} />,
  }
  return (
    <Tabs value={tab} onValueChange={(next) => void setTab(TABS.find((each) => each === next) ?? null)}>
      <TabsList aria-label={t(($) => $.calendar.tabs)}>
        {TABS.map((each) => (
          <TabsTrigger key={each} value={each}>
            {t(($) => $.calendar.tab[each])}
          </TabsTrigger>
        ))}
      </TabsList>
      <WritableBy permission="channels.write">
        {result && !isOutdated && (
          <Alert tone={toneOf(result)} className="mt-5">
            {t(($) => $.calendar.result[result])}
          </Alert>
        )}
        {TABS.map((each) => (
          // What is typed in a tab stays while another one is looked at.
          <TabsContent key={each} value={each} forceMount hidden={each !== tab}>
            {panels[each]}
          </TabsContent>
        ))}
      </WritableBy>
    </Tabs>
  )
}

function NoAgents() {
  const { t } = useTranslation('integrations')
  return (
    <EmptyState
      icon={CalendarDays}
      title={t(($) => $.noAgents)}
      description={t(($) => $.noAgentsHint)}
      action={
        <Link to={paths.agents} className={buttonClasses()}>
          {t(($) => $.toAgents)}
        </Link>
      }
    />
  )
}

function Waiting() {
  return (
    <Delayed>
      <Skeleton className="h-64" />
    </Delayed>
  )
}

function toneOf(result: (typeof CONSENT_RESULTS)[number]) {
  if (result === 'connected') return 'success'
  return result === 'denied' ? 'info' : 'destructive'
}
