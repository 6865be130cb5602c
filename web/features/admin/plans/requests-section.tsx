// Open requests of organizations: who asks for what, and the two ways to settle each.
import { useState } from 'react'
import type { AdminPlanRequest } from '#shared/organizations/admin-plans.ts'
import { api } from '#web/api.ts'
import { ConfirmDialog } from '#web/components/confirm-dialog.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { toast } from '#web/lib/toast.ts'

/** `gives`: the plan is given; otherwise the request is closed and nothing changes. */
type Settling = { request: AdminPlanRequest; gives: boolean }

/** The oldest first. */
export function RequestsSection() {
  const { t } = useTranslation('admin')
  const requests: AdminPlanRequest[] | undefined = useQuery(api.admin.plans.requests, {})
  const [settling, setSettling] = useState<Settling | null>(null)
  return (
    <CardSection title={t(($) => $.plans.requests.title)} description={t(($) => $.plans.requests.description)}>
      {!requests && (
        <Delayed>
          <Skeleton className="h-16" />
        </Delayed>
      )}
      {requests?.length === 0 && <p className="text-muted-foreground">{t(($) => $.plans.requests.none)}</p>}
      {requests && requests.length > 0 && (
        <ul className="divide-y divide-border" aria-label={t(($) => $.plans.requests.title)}>
          {requests.map((request) => (
            <RequestRow key={request._id} request={request} onSettle={setSettling} />
          ))}
        </ul>
      )}
      {settling && <SettleDialog {...settling} onClose={() => setSettling(null)} />}
    </CardSection>
  )
}

function RequestRow({ request, onSettle }: { request: AdminPlanRequest; onSettle: (settling: Settling) => void }) {
  const { t } = useTranslation('admin')
  const { kind, plan, note, requestedBy, createdAt, organization } = request
  const { name } = organization
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 py-4 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-60">
        <p className="break-words font-medium">{name}</p>
        <p className="break-words">
          {kind === 'change'
            ? t(($) => $.plans.requests.change, { from: organization.plan ?? '–', plan: plan?.name ?? '' })
            : t(($) => $.plans.requests.cancellation, { plan: organization.plan ?? '–' })}
        </p>
        {note && <p className="whitespace-pre-wrap break-words text-[0.8125rem]">{note}</p>}
        <p className="text-[0.8125rem] text-muted-foreground">
          {requestedBy ?? t(($) => $.goneAuthor)} · <RelativeTime at={createdAt} />
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        {plan && (
          <Button
            size="sm"
            variant="primary"
            aria-label={t(($) => $.plans.requests.giveTo, { plan: plan.name, name })}
            onClick={() => onSettle({ request, gives: true })}
          >
            {t(($) => $.plans.requests.give, { plan: plan.name })}
          </Button>
        )}
        <Button
          size="sm"
          aria-label={t(($) => $.plans.requests.closeOf, { name })}
          onClick={() => onSettle({ request, gives: false })}
        >
          {t(($) => $.plans.requests.close)}
        </Button>
      </div>
    </li>
  )
}

function SettleDialog({ request, gives, onClose }: Settling & { onClose: () => void }) {
  const { t } = useTranslation('admin')
  const settle = useMutation(api.admin.plans.settle)
  const { name } = request.organization
  const plan = gives ? request.plan : null
  return (
    <ConfirmDialog
      title={
        plan
          ? t(($) => $.plans.requests.giveTitle, { name, plan: plan.name })
          : t(($) => $.plans.requests.closeTitle, { name })
      }
      description={plan ? t(($) => $.plans.requests.giveBody) : t(($) => $.plans.requests.closeBody)}
      confirmLabel={plan ? t(($) => $.plans.requests.give, { plan: plan.name }) : t(($) => $.plans.requests.close)}
      onConfirm={async () => {
        await settle({ requestId: request._id, ...(plan && { planSlug: plan.slug }) })
        toast.success(t(($) => $.plans.requests.settled, { name }))
      }}
      onClose={onClose}
    />
  )
}
