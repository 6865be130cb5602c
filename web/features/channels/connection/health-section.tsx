// The health of a connection: what was sent, what failed, how deliveries go; and a test that reaches no customer.

import { Check, CircleX, Minus, Stethoscope, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import type { Channel, ChannelConnection, ConnectionCheck, ConnectionHealth } from '#shared/channels/channels.ts'
import { channelsWhere } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAction, useQuery } from '#web/lib/server/convex.ts'
import { Fact } from './fact.tsx'
import { PastErrors } from './past-errors.tsx'
import { QuarantineButton } from './quarantine-button.tsx'
import { TurnedAwayAlert } from './turned-away-alert.tsx'
import { isUnsubscribed } from './unsubscribed.ts'

const LOOKS = {
  passed: { icon: Check, classes: 'text-success-soft-foreground' },
  failed: { icon: CircleX, classes: 'text-destructive-soft-foreground' },
  skipped: { icon: Minus, classes: 'text-muted-foreground' },
} as const

/** Channels whose providers keep undelivered messages. */
const FETCHED: readonly Channel[] = channelsWhere(({ isPolled }) => isPolled)

type Way = 'webchat' | 'http' | ChannelConnection['delivery']

/** How its messages arrive, which decides what a test checks. */
function wayOf({ channel, delivery }: ChannelConnection): Way {
  return channel === 'webchat' || channel === 'http' ? channel : delivery
}

/** Live. The results of a test stay until the next one. */
export function HealthSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { _id: connectionId } = connection
  const health: ConnectionHealth | undefined = useQuery(api.channelConnections.health, { connectionId })
  const test = useAction(api.channelConnections.test)
  const [checks, setChecks] = useState<ConnectionCheck[]>([])
  const [isBusy, setBusy] = useState(false)

  async function run() {
    setBusy(true)
    try {
      setChecks(await test({ connectionId }))
    } catch {
      // the toast shows the error
    } finally {
      setBusy(false)
    }
  }
  const bodies = {
    webchat: t(($) => $.health.webchatBody),
    http: t(($) => $.health.httpBody),
    polling: t(($) => $.health.pollingBody),
    webhook: t(($) => $.health.body),
  }
  const way = wayOf(connection)
  // For a program only this is tested: there is no provider that delivers on its behalf.
  const shown = way === 'http' ? checks.filter(({ check }) => check === 'credentials') : checks
  return (
    <CardSection
      title={t(($) => $.health.title)}
      description={bodies[way]}
      actions={
        <Button isBusy={isBusy} onClick={run}>
          <Stethoscope aria-hidden="true" />
          {t(($) => $.health.test)}
        </Button>
      }
    >
      <div className="flex flex-col gap-5">
        <TurnedAwayAlert connection={connection} />
        {health && <Facts health={health} connection={connection} />}
      </div>
      <ul aria-live="polite" aria-label={t(($) => $.health.results)} className="flex flex-col gap-2 not-empty:mt-5">
        {shown.map((check) => (
          <CheckRow key={check.check} check={check} way={way} />
        ))}
      </ul>
    </CardSection>
  )
}

function Facts({ health, connection }: { health: ConnectionHealth; connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const isFetched = FETCHED.includes(connection.channel)
  const never = <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
  return (
    <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
      <Fact label={t(($) => $.health.lastOutbound)}>
        {health.lastOutboundAt === null ? never : <RelativeTime at={health.lastOutboundAt} />}
      </Fact>
      <Fact label={t(($) => $.health.undelivered)} hint={t(($) => $.health.undeliveredHint)}>
        {formatNumber(health.undelivered)}
      </Fact>
      {health.openStreams !== null && (
        <Fact label={t(($) => $.health.openStreams)}>{formatNumber(health.openStreams)}</Fact>
      )}
      <Fact label={t(($) => $.health.waiting)}>{formatNumber(health.waiting)}</Fact>
      {isFetched && (
        <Fact label={t(($) => $.health.recovered)} hint={t(($) => $.health.recoveredHint)}>
          {formatNumber(health.recovered)}
        </Fact>
      )}
      {health.missed && (
        <Fact label={t(($) => $.health.missed)} hint={t(($) => $.health.missedHint)} isWide>
          <span className="flex flex-wrap items-center gap-x-1.5">
            <TriangleAlert aria-hidden="true" className="size-4 shrink-0 text-warning-soft-foreground" />
            <DateTime at={health.missed.since} />
            <span aria-hidden="true">–</span>
            <DateTime at={health.missed.until} />
          </span>
        </Fact>
      )}
      {health.quarantined > 0 && (
        <Fact label={t(($) => $.health.quarantined)} hint={t(($) => $.health.quarantinedHint)}>
          {formatNumber(health.quarantined)}
          {health.quarantinedAt !== null && (
            <span className="font-normal text-muted-foreground">
              {` · ${t(($) => $.health.quarantinedLast)} `}
              <RelativeTime at={health.quarantinedAt} />
            </span>
          )}
          <QuarantineButton connectionId={connection._id} />
        </Fact>
      )}
      {health.webhookMs !== null && (
        <Fact label={t(($) => $.health.webhook)}>{t(($) => $.health.ms, { ms: String(health.webhookMs) })}</Fact>
      )}
      {health.pendingUpdates !== null && (
        <Fact label={t(($) => $.health.pending)}>{formatNumber(health.pendingUpdates)}</Fact>
      )}
      {health.providerError !== null && (
        <Fact label={t(($) => $.health.providerError)} isWide>
          {health.providerError}
        </Fact>
      )}
      <PastErrors errors={connection.errors} />
    </dl>
  )
}

/** The label of a check, where it differs from the usual one. */
function namedFor(way: Way, check: ConnectionCheck['check']) {
  if (way === 'http' && check === 'credentials') return 'program'
  return way === 'polling' && check === 'receiving' ? 'fetching' : check
}

function CheckRow({ check: { check, outcome, reason, ms }, way }: { check: ConnectionCheck; way: Way }) {
  const { t } = useTranslation('channels')
  const { icon: Icon, classes } = LOOKS[outcome]
  const name = namedFor(way, check)
  return (
    <li className="flex items-start gap-2">
      <Icon aria-hidden="true" className={cn('mt-0.5 size-4 shrink-0', classes)} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{t(($) => $.health.check[name])}</span>
          {': '}
          {t(($) => $.health.outcome[outcome])}
          {outcome === 'passed' && `, ${t(($) => $.health.ms, { ms: String(ms) })}`}
        </p>
        {outcome === 'failed' && (
          <>
            <p className="text-muted-foreground">
              {isUnsubscribed(reason) ? t(($) => $.health.unsubscribed) : t(($) => $.health.fix[name])}
            </p>
            <p className="break-words font-mono text-xs">{reason}</p>
          </>
        )}
      </div>
    </li>
  )
}
