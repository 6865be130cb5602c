// The log of an endpoint: every event that was for it, by state, and what was given up to be sent again.

import { Inbox } from 'lucide-react'
import { useState } from 'react'
import { WEBHOOK_LOG_DAYS } from '#shared/webhooks/webhook-limits.ts'
import { DELIVERY_STATES, type WebhookDelivery, type WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { useLastLoaded } from '#web/components/lists/use-steady.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, usePaginatedQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'
import { DeliveryRow } from './delivery-row.tsx'
import { useWebhooksView } from './use-webhooks-view.ts'

const PAGE_SIZE = 25
/** In selects, whose values may not be empty. */
const ANY = 'any'

/** `dead`: how many were given up. Live. */
export function DeliveriesSection({ endpoint, dead }: { endpoint: WebhookEndpoint; dead: number }) {
  const { t } = useTranslation('webhooks')
  const [{ state }, setView] = useWebhooksView()
  const [isReplaying, setReplaying] = useState(false)
  const states = [ANY, ...DELIVERY_STATES] as const
  return (
    <CardSection
      title={t(($) => $.log)}
      description={t(($) => $.logHint, { count: WEBHOOK_LOG_DAYS })}
      actions={
        dead > 0 &&
        endpoint.state === 'on' && (
          <Button size="sm" onClick={() => setReplaying(true)}>
            {t(($) => $.replayDead)}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-4">
        <Select
          className="sm:w-64"
          aria-label={t(($) => $.stateFilter)}
          value={state ?? ANY}
          onValueChange={(next) =>
            void setView({ state: DELIVERY_STATES.find((each) => each === next) ?? null, delivery: null })
          }
          options={states.map((each) => ({ value: each, label: t(($) => $.states[each]) }))}
        />
        <DeliveryList endpoint={endpoint} />
      </div>
      {isReplaying && <ReplayDialog endpoint={endpoint} onClose={() => setReplaying(false)} />}
    </CardSection>
  )
}

function DeliveryList({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const [{ state, delivery: open }, setView] = useWebhooksView()
  const filters = { endpointId: endpoint._id, ...(state !== null && { state }) }
  const pages = usePaginatedQuery(api.webhooks.deliveries, filters, { initialNumItems: PAGE_SIZE })
  const deliveries = useLastLoaded<WebhookDelivery[]>(pages.status === 'LoadingFirstPage' ? undefined : pages.results)
  if (!deliveries) {
    return (
      <Delayed>
        <Skeleton className="h-32" />
      </Delayed>
    )
  }
  if (deliveries.length === 0) {
    return (
      <EmptyState
        icon={Inbox}
        title={t(($) => (state === null ? $.noEvents : $.noneOfState))}
        description={state === null && endpoint.state === 'on' && t(($) => $.noEventsHint)}
        action={
          state !== null && (
            <Button isForReading onClick={() => void setView({ state: null })}>
              {t(($) => $.showAll)}
            </Button>
          )
        }
      />
    )
  }
  return (
    <>
      <ul className="divide-y divide-border" aria-label={t(($) => $.log)}>
        {deliveries.map((delivery) => (
          <DeliveryRow
            key={delivery._id}
            delivery={delivery}
            mayReplay={endpoint.state === 'on'}
            isOpen={open === delivery._id}
            onToggle={(isOpen) => void setView({ delivery: isOpen ? delivery._id : null })}
          />
        ))}
      </ul>
      {pages.status === 'CanLoadMore' && (
        <Button isForReading className="self-center" onClick={() => pages.loadMore(PAGE_SIZE)}>
          {t(($) => $.showMore)}
        </Button>
      )}
    </>
  )
}

function ReplayDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose: () => void }) {
  const { t } = useTranslation('webhooks')
  const replayDead = useMutation(api.webhooks.replayDead)
  return (
    <ConfirmDialog
      title={t(($) => $.replayTitle)}
      description={t(($) => $.replayBody)}
      confirmLabel={t(($) => $.replayDead)}
      onConfirm={async () => {
        const { events } = await replayDead({ endpointId: endpoint._id })
        toast.success(t(($) => $.replayedCount, { count: events }))
      }}
      onClose={onClose}
    />
  )
}
