// The account at Google: connected, to be connected again, not connected, or not possible on this installation.
import { type ReactNode, useState } from 'react'
import type { AgentSummary } from '#shared/agents/agents.ts'
import { CALENDAR_VARIABLES, type CalendarConnection } from '#shared/integrations/calendar.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { CopyButton } from '#web/components/ui/copy-button.tsx'
import { DateTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useMutation } from '#web/lib/server/convex.ts'
import { useFetched } from '#web/lib/server/query-client.ts'
import { toast } from '#web/lib/toast.ts'
import { CalendarBadge } from './calendar-badge.tsx'

const SCOPES = ['events', 'list', 'busy'] as const

type ConnectionTabProps = { agent: AgentSummary; connection: CalendarConnection | null }

/** Leads to Google and back. */
export function ConnectionTab({ agent, connection }: ConnectionTabProps) {
  const { t } = useTranslation('integrations')
  const load = useAction(api.integrations.calendar.installation)
  const installation = useFetched(['calendar-installation'], () => load({})).value
  const isLost = connection?.status === 'reauthorization_required'
  return (
    <CardSection
      title={t(($) => $.calendar.connection.title)}
      description={t(($) => $.calendar.connection.description)}
      actions={<CalendarBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        {isLost && (
          <Alert tone="destructive" title={t(($) => $.calendar.connection.lostTitle)}>
            {t(($) => $.calendar.connection.lost)}
          </Alert>
        )}
        {connection && <Facts connection={connection} />}
        {installation && !installation.isConfigured && <Missing callbackUrl={installation.callbackUrl} />}
        {installation?.isConfigured && !connection && <Asks />}
        <div className="flex flex-wrap gap-2">
          {installation?.isConfigured && <ConnectButton agent={agent} connection={connection} />}
          {connection && <DisconnectButton agent={agent} account={connection.account} />}
        </div>
      </div>
    </CardSection>
  )
}

function Facts({ connection }: { connection: CalendarConnection }) {
  const { t } = useTranslation('integrations')
  const facts: [string, ReactNode][] = [
    [t(($) => $.calendar.connection.account), connection.account],
    [t(($) => $.calendar.connection.by), connection.connectedBy],
    [t(($) => $.calendar.connection.since), <DateTime key="since" at={connection.connectedAt} />],
    [t(($) => $.calendar.connection.checked), <DateTime key="checked" at={connection.checkedAt} />],
  ]
  return (
    <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
      {facts.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Asks() {
  const { t } = useTranslation('integrations')
  return (
    <div>
      <p>{t(($) => $.calendar.connection.asks)}</p>
      <ul className="mt-2 list-disc ps-5 text-muted-foreground">
        {SCOPES.map((scope) => (
          <li key={scope}>{t(($) => $.calendar.connection.scopes[scope])}</li>
        ))}
      </ul>
    </div>
  )
}

function Missing({ callbackUrl }: { callbackUrl: string }) {
  const { t } = useTranslation('integrations')
  return (
    <Alert tone="warning" title={t(($) => $.calendar.connection.missingTitle)}>
      <p>{t(($) => $.calendar.connection.missing)}</p>
      <ul className="my-2 list-disc ps-5">
        {CALENDAR_VARIABLES.map((name) => (
          <li key={name}>
            <code className="break-all">{name}</code>
          </li>
        ))}
      </ul>
      <p>{t(($) => $.calendar.connection.callback)}</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 break-all">{callbackUrl}</code>
        <CopyButton text={callbackUrl} label={t(($) => $.calendar.connection.copy)} />
      </p>
    </Alert>
  )
}

function ConnectButton({ agent, connection }: ConnectionTabProps) {
  const { t } = useTranslation('integrations')
  const authorize = useAction(api.integrations.calendar.authorize)
  const [isBusy, setBusy] = useState(false)
  const isLost = connection?.status === 'reauthorization_required'
  const words = connection ? (isLost ? 'reconnect' : 'otherAccount') : 'connect'
  async function leave() {
    setBusy(true)
    try {
      const { url } = await authorize({ agentId: agent._id })
      window.location.assign(url)
    } catch {
      setBusy(false) // reported in a toast
    }
  }
  return (
    <Button variant={words === 'otherAccount' ? 'secondary' : 'primary'} isBusy={isBusy} onClick={() => void leave()}>
      {t(($) => $.calendar.connection[words])}
    </Button>
  )
}

function DisconnectButton({ agent, account }: { agent: AgentSummary; account: string }) {
  const { t } = useTranslation('integrations')
  const disconnect = useMutation(api.integrations.calendar.disconnect)
  const [isAsking, setAsking] = useState(false)
  return (
    <>
      <Button variant="ghost" onClick={() => setAsking(true)}>
        {t(($) => $.calendar.connection.disconnect)}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={t(($) => $.calendar.connection.confirmTitle)}
          description={t(($) => $.calendar.connection.confirmBody, { agent: agent.name, account })}
          confirmLabel={t(($) => $.calendar.connection.disconnect)}
          onConfirm={async () => {
            await disconnect({ agentId: agent._id })
            toast.success(t(($) => $.calendar.connection.disconnected))
          }}
          onClose={() => setAsking(false)}
          isDestructive
        />
      )}
    </>
  )
}
