// The plans that can be chosen, each with what it holds, next to the organization's own.
import { useState } from 'react'
import type { Plan, PlanOverview } from '#shared/organizations/plans.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useAnchor } from '#web/components/use-anchor.ts'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { PlanFeatures, usePlanWords } from './plan-words.tsx'
import { RequestDialog } from './request-dialog.tsx'

/** Also the anchor in the address. */
const ID = 'plans'

/** Another plan is asked for here; it is set by the sales team. */
export function OfferedPlansSection({ overview }: { overview: PlanOverview | undefined }) {
  const { t } = useTranslation('plan')
  const mayRequest = useMay('billing.write')
  const [wanted, setWanted] = useState<Plan | null>(null)
  useAnchor(ID, overview !== undefined)
  const canRequest = mayRequest && overview?.request === null
  return (
    <CardSection
      id={ID}
      title={t(($) => $.offered.title)}
      description={mayRequest ? t(($) => $.offered.description) : t(($) => $.offered.readOnly)}
    >
      {overview ? (
        <ul className="grid gap-4 sm:grid-cols-2">
          {overview.plans.map((plan) => (
            <PlanCard
              key={plan.slug}
              plan={plan}
              isOwn={plan.slug === overview.own?.slug}
              isWanted={plan.slug === overview.request?.plan?.slug}
              onRequest={canRequest ? () => setWanted(plan) : null}
            />
          ))}
        </ul>
      ) : (
        <Delayed>
          <Skeleton className="h-72" />
        </Delayed>
      )}
      {wanted && <RequestDialog plan={wanted} onClose={() => setWanted(null)} />}
    </CardSection>
  )
}

type PlanCardProps = { plan: Plan; isOwn: boolean; isWanted: boolean; onRequest: (() => void) | null }

function PlanCard({ plan, isOwn, isWanted, onRequest }: PlanCardProps) {
  const { t } = useTranslation('plan')
  const { priceOf, numberOf } = usePlanWords()
  return (
    <li className={cn('flex min-w-0 flex-col gap-4 rounded-xl border border-border p-4', isOwn && 'border-primary')}>
      <div>
        <div className="flex flex-wrap items-center gap-2">
          <h3 className="min-w-0 break-words font-semibold text-base">{plan.name}</h3>
          {isOwn && <Badge tone="primary">{t(($) => $.offered.own)}</Badge>}
          {isWanted && <Badge tone="warning">{t(($) => $.offered.wanted)}</Badge>}
        </div>
        <p className="mt-0.5 text-muted-foreground tabular-nums">{priceOf(plan)}</p>
      </div>
      <dl className="flex flex-col gap-1 tabular-nums">
        <Held label={t(($) => $.holds.messages)} value={numberOf(plan.messages)} />
        <Held label={t(($) => $.holds.members)} value={numberOf(plan.members)} />
        <Held label={t(($) => $.holds.slots)} value={numberOf(plan.channelSlots)} />
      </dl>
      <PlanFeatures plan={plan} />
      {!isOwn && onRequest && (
        <Button className="mt-auto self-start" onClick={onRequest}>
          {t(($) => $.offered.request, { plan: plan.name })}
        </Button>
      )}
    </li>
  )
}

function Held({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-muted-foreground">{label}</dt>
      <dd className="whitespace-nowrap text-end font-medium">{value}</dd>
    </div>
  )
}
