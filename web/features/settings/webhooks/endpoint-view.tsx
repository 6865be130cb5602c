// One endpoint: how it stands, what can be done with it, and its deliveries.
import { ArrowLeft } from 'lucide-react'
import { Link } from 'react-router'
import { WEBHOOK_FAILING_DAYS, WEBHOOK_WAITING_MAX } from '#shared/webhooks/webhook-limits.ts'
import type { DeliveryCounts, WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { DeliveriesSection } from './deliveries-section.tsx'
import { EndpointActions } from './endpoint-actions.tsx'
import { EndpointStateBadge } from './endpoint-state.tsx'
import { useTypeWords } from './use-type-words.ts'

/** Live. An id that leads nowhere gets a way back. */
export function EndpointView({ endpointId }: { endpointId: string }) {
  const { t } = useTranslation('webhooks')
  const endpoints: WebhookEndpoint[] | undefined = useQuery(api.webhooks.list, {})
  const endpoint = endpoints?.find(({ _id }) => _id === endpointId)
  return (
    <>
      <Link to={paths.webhooks} className="inline-flex min-h-6 items-center gap-1.5 self-start text-primary text-sm">
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t(($) => $.back)}
      </Link>
      {!endpoints && (
        <Delayed>
          <Skeleton className="h-48" />
        </Delayed>
      )}
      {endpoints && !endpoint && <Alert tone="warning">{t(($) => $.gone)}</Alert>}
      {endpoint && <FoundEndpoint endpoint={endpoint} />}
    </>
  )
}

function FoundEndpoint({ endpoint }: { endpoint: WebhookEndpoint }) {
  const counts: DeliveryCounts | undefined = useQuery(api.webhooks.counts, { endpointId: endpoint._id })
  return (
    <>
      <CardSection
        title={
          <span className="flex flex-wrap items-center gap-2">
            <span className="min-w-0 break-all">{endpoint.description || endpoint.url}</span>
            <EndpointStateBadge endpoint={endpoint} />
          </span>
        }
        description={endpoint.description && <span className="break-all">{endpoint.url}</span>}
        actions={<EndpointActions endpoint={endpoint} />}
      >
        <div className="flex flex-col gap-4">
          <StandingNote endpoint={endpoint} />
          <Facts endpoint={endpoint} counts={counts} />
        </div>
      </CardSection>
      <DeliveriesSection endpoint={endpoint} dead={counts?.dead ?? 0} />
    </>
  )
}

/** What is wrong, and what to do. */
function StandingNote({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const { state, disabledReason, failingSince, retryAt, fullSince } = endpoint
  return (
    <>
      {state === 'disabled' && (
        <Alert tone="destructive" action={<SwitchOn endpoint={endpoint} />}>
          {disabledReason === 'gone'
            ? t(($) => $.disabledGone)
            : t(($) => $.disabledFailing, { count: WEBHOOK_FAILING_DAYS })}
        </Alert>
      )}
      {state === 'off' && <Alert action={<SwitchOn endpoint={endpoint} />}>{t(($) => $.offNote)}</Alert>}
      {state === 'on' && failingSince !== null && (
        <Alert tone="warning">
          {t(($) => $.failingNote)} <DateTime at={failingSince} />.{' '}
          {retryAt !== null && (
            <>
              {t(($) => $.nextTry)} <DateTime at={retryAt} />.
            </>
          )}
        </Alert>
      )}
      {fullSince !== null && (
        <Alert tone="destructive">
          {t(($) => $.fullNote, { value: formatNumber(WEBHOOK_WAITING_MAX) })} <DateTime at={fullSince} />.
        </Alert>
      )}
    </>
  )
}

function SwitchOn({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const setOn = useMutation(api.webhooks.setOn)
  return (
    <Button
      size="sm"
      onClick={() => void setOn({ endpointId: endpoint._id, isOn: true }).catch(() => null)} // reported in a toast
    >
      {t(($) => $.switchOn)}
    </Button>
  )
}

function Facts({ endpoint, counts }: { endpoint: WebhookEndpoint; counts: DeliveryCounts | undefined }) {
  const { t } = useTranslation('webhooks')
  const wordsOf = useTypeWords()
  const { types, perMinute, previousSecretUntil, lastDeliveredAt } = endpoint
  const amount = (count: number, max: number) =>
    count >= max ? t(($) => $.orMore, { value: formatNumber(max) }) : formatNumber(count)
  return (
    <dl className="grid gap-x-4 gap-y-2 text-sm sm:grid-cols-[minmax(9rem,auto)_1fr]">
      <Fact name={t(($) => $.types)}>{types.map(wordsOf).join(', ')}</Fact>
      <Fact name={t(($) => $.lastDelivered)}>
        {lastDeliveredAt === null ? t(($) => $.never) : <RelativeTime at={lastDeliveredAt} />}
      </Fact>
      {counts && <Fact name={t(($) => $.states.waiting)}>{amount(counts.waiting, counts.max)}</Fact>}
      {counts && <Fact name={t(($) => $.states.dead)}>{amount(counts.dead, counts.max)}</Fact>}
      {perMinute !== null && <Fact name={t(($) => $.perMinute)}>{formatNumber(perMinute)}</Fact>}
      {previousSecretUntil !== null && (
        <Fact name={t(($) => $.formerSecret)}>
          {t(($) => $.formerUntil)} <DateTime at={previousSecretUntil} />
        </Fact>
      )}
    </dl>
  )
}

function Fact({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="sm:contents">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  )
}
