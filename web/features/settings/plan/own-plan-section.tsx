// The organization's own plan: what it holds, how much of that is in use, and the open request about it.
import { useState } from 'react'
import type { PlanOverview, PlanUse } from '#shared/organizations/plans.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'
import { OpenRequest } from './open-request.tsx'
import { PlanFeatures, usePlanWords } from './plan-words.tsx'
import { RequestDialog } from './request-dialog.tsx'

/** Cancelling is offered to those who may write about billing, and while nothing else is asked for. */
export function OwnPlanSection({ overview }: { overview: PlanOverview | undefined }) {
  const { t } = useTranslation('plan')
  const [isCancelling, setCancelling] = useState(false)
  const canCancel = overview?.own && !overview.request
  return (
    <CardSection
      title={t(($) => $.own.title)}
      actions={
        canCancel && (
          <May need="billing.write">
            <Button size="sm" onClick={() => setCancelling(true)}>
              {t(($) => $.own.cancel)}
            </Button>
          </May>
        )
      }
    >
      {overview ? (
        <OwnPlan overview={overview} />
      ) : (
        <Delayed>
          <Skeleton className="h-40" />
        </Delayed>
      )}
      {isCancelling && <RequestDialog plan={null} onClose={() => setCancelling(false)} />}
    </CardSection>
  )
}

function OwnPlan({ overview }: { overview: PlanOverview }) {
  const { t } = useTranslation('plan')
  const { priceOf, messagesOf } = usePlanWords()
  const { own, allowance, members, channelSlots, request } = overview
  const isOwnAllowance = own !== null && allowance !== own.messages
  return (
    <div className="flex flex-col gap-5">
      {request && <OpenRequest request={request} />}
      <div>
        <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
          <span className="font-semibold text-xl">{own?.name ?? t(($) => $.own.none)}</span>
          {own && <span className="text-muted-foreground tabular-nums">{priceOf(own)}</span>}
          {own?.slug === 'parking' && <Badge>{t(($) => $.own.first)}</Badge>}
        </p>
        {!own && <p className="mt-1 max-w-prose text-muted-foreground">{t(($) => $.own.noneHint)}</p>}
      </div>
      <dl className="grid gap-5 sm:grid-cols-3">
        <div>
          <dt className="text-[0.8125rem] text-muted-foreground">{t(($) => $.holds.messages)}</dt>
          <dd className="mt-0.5 font-medium tabular-nums">{messagesOf(allowance)}</dd>
          {isOwnAllowance && (
            <dd className="mt-1 text-[0.8125rem] text-muted-foreground">
              {t(($) => $.own.ownAllowance, { value: messagesOf(own.messages) })}
            </dd>
          )}
        </div>
        <Use label={t(($) => $.holds.members)} use={members} over={(value) => t(($) => $.own.membersOver, { value })} />
        <Use
          label={t(($) => $.holds.slots)}
          use={channelSlots}
          over={(value) => t(($) => $.own.slotsOver, { value })}
        />
      </dl>
      {own && <PlanFeatures plan={own} />}
    </div>
  )
}

/** Used of allowed. What lies above a plan that became smaller is shown in words: nothing is taken away. */
function Use({
  label,
  use: { used, allowed },
  over,
}: {
  label: string
  use: PlanUse
  over: (value: string) => string
}) {
  const { t } = useTranslation('plan')
  const above = allowed === null ? 0 : used - allowed
  return (
    <div className="min-w-0">
      <dt className="text-[0.8125rem] text-muted-foreground">{label}</dt>
      <dd className="mt-0.5 font-medium tabular-nums">
        {allowed === null
          ? t(($) => $.own.usedUnlimited, { used: formatNumber(used) })
          : t(($) => $.own.usedOf, { used: formatNumber(used), allowed: formatNumber(allowed) })}
      </dd>
      {allowed !== null && (
        <dd className="mt-1.5">
          <Progress
            label={label}
            value={allowed === 0 ? Number(used > 0) : used / allowed}
            tone={above > 0 ? 'destructive' : above === 0 ? 'warning' : 'primary'}
          />
        </dd>
      )}
      {above >= 0 && allowed !== null && (
        <dd className="mt-1 text-[0.8125rem] text-muted-foreground">
          {above > 0 ? over(formatNumber(above)) : t(($) => $.own.full)}
        </dd>
      )}
    </div>
  )
}
