// /channels/whatsapp/production-test: whether a number works, before customers find out. `?connection=` is the number, `?tab=` the tab.
import { MessageCircle } from 'lucide-react'
import { parseAsString, parseAsStringLiteral, useQueryStates } from 'nuqs'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { api } from '#web/api.ts'
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
import { connectionName } from '#web/lib/server/connections.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AccountNotice } from '../connection/account-notice.tsx'
import { WhatsappApiSection } from './api-section.tsx'
import { WhatsappChecksSection } from './checks-section.tsx'
import { WhatsappTestSection } from './whatsapp-test-section.tsx'

const TABS = ['api', 'message', 'validation'] as const

/** Of one number; of the newest one when the address names none. */
export function WhatsappProductionTestPage() {
  const { t } = useTranslation('channels')
  const all: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const numbers = all?.filter(({ channel }) => channel === 'whatsapp')
  return (
    <Page title={t(($) => $.whatsappProof.title)} description={t(($) => $.whatsappProof.subtitle)} width="narrow">
      {!numbers && (
        <Delayed>
          <Skeleton className="h-72 rounded-xl" />
        </Delayed>
      )}
      {numbers?.length === 0 && (
        <EmptyState
          icon={MessageCircle}
          title={t(($) => $.whatsapp.emptyTitle)}
          description={t(($) => $.whatsapp.emptyBody)}
          action={
            <Link to={paths.channelSetup('whatsapp')} className={buttonClasses({ variant: 'primary' })}>
              {t(($) => $.whatsapp.connect)}
            </Link>
          }
        />
      )}
      {numbers && numbers.length > 0 && <Proof numbers={numbers} />}
    </Page>
  )
}

function Proof({ numbers }: { numbers: ChannelConnection[] }) {
  const { t } = useTranslation('channels')
  const [{ connection: id, tab }, setQuery] = useQueryStates(
    { connection: parseAsString, tab: parseAsStringLiteral(TABS).withDefault('api') },
    { history: 'replace' },
  )
  const chosen = numbers.find(({ _id }) => _id === id) ?? numbers[0]
  if (!chosen) return null
  const options = numbers.map((number) => ({ value: number._id, label: connectionName(number) }))
  return (
    <>
      {numbers.length > 1 && (
        <Field label={t(($) => $.whatsappProof.number)}>
          <Select value={chosen._id} onValueChange={(connection) => setQuery({ connection })} options={options} />
        </Field>
      )}
      <AccountNotice connection={chosen} />
      <Tabs value={tab} onValueChange={(next) => setQuery({ tab: TABS.find((each) => each === next) ?? 'api' })}>
        <TabsList aria-label={t(($) => $.whatsappProof.title)}>
          {TABS.map((each) => (
            <TabsTrigger key={each} value={each}>
              {t(($) => $.whatsappProof.tabs[each])}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value="api">
          <WhatsappApiSection key={chosen._id} connection={chosen} />
        </TabsContent>
        <TabsContent value="message">
          <WhatsappTestSection key={chosen._id} connection={chosen} />
        </TabsContent>
        <TabsContent value="validation">
          <WhatsappChecksSection key={chosen._id} connection={chosen} />
        </TabsContent>
      </Tabs>
    </>
  )
}
