// The endpoints of the organization with how they stand, and the way to make one.
import { ChevronRight, Plus, Webhook } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import type { WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { EndpointDialog } from './endpoint-dialog.tsx'
import { EndpointStateBadge } from './endpoint-state.tsx'

/** Live: a failure is seen at once. */
export function EndpointsSection() {
  const { t } = useTranslation('webhooks')
  const endpoints: WebhookEndpoint[] | undefined = useQuery(api.webhooks.list, {})
  const [isCreating, setCreating] = useState(false)
  const create = (
    <Button variant="primary" size="sm" onClick={() => setCreating(true)}>
      <Plus aria-hidden="true" />
      {t(($) => $.create)}
    </Button>
  )
  return (
    <CardSection
      title={t(($) => $.title)}
      description={t(($) => $.description)}
      actions={endpoints && endpoints.length > 0 && create}
    >
      {!endpoints && (
        <Delayed>
          <Skeleton className="h-16" />
        </Delayed>
      )}
      {endpoints?.length === 0 && (
        <EmptyState icon={Webhook} title={t(($) => $.none)} description={t(($) => $.noneHint)} action={create} />
      )}
      {endpoints && endpoints.length > 0 && (
        <ul className="divide-y divide-border" aria-label={t(($) => $.title)}>
          {endpoints.map((endpoint) => (
            <EndpointRow key={endpoint._id} endpoint={endpoint} />
          ))}
        </ul>
      )}
      {isCreating && <EndpointDialog onClose={() => setCreating(false)} />}
    </CardSection>
  )
}

function EndpointRow({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const { _id, url, description, types, failingSince, lastDeliveredAt } = endpoint
  return (
    <li className="py-1 first:pt-0 last:pb-0">
      <Link
        to={`${paths.webhooks}?endpoint=${_id}`}
        className="-mx-2 flex items-center gap-3 rounded-lg px-2 py-2.5 hover:bg-accent"
      >
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
            <span className="min-w-0 break-all font-medium">{description || url}</span>
            <EndpointStateBadge endpoint={endpoint} />
          </span>
          <span className="flex flex-wrap gap-x-3 text-[0.8125rem] text-muted-foreground">
            {description && <span className="break-all">{url}</span>}
            <span>{t(($) => $.typeCount, { count: types.length })}</span>
            {failingSince !== null ? (
              <span>
                {t(($) => $.failingSince)} <DateTime at={failingSince} />
              </span>
            ) : (
              lastDeliveredAt !== null && (
                <span>
                  {t(($) => $.lastDelivered)} <RelativeTime at={lastDeliveredAt} />
                </span>
              )
            )}
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-muted-foreground" />
      </Link>
    </li>
  )
}
