// The calendar month by which the allowance is counted: used, left, until when, and what to do when it runs low.
import { CircleAlert, CircleCheck, TriangleAlert } from 'lucide-react'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Progress } from '#web/components/ui/progress.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatCalendarDay, formatMonth, formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'
import { AllowanceAlert } from './allowance-alert.tsx'
import { outlookOf, renewalDay } from './usage.rules.ts'

const LOOKS = {
  ok: { icon: CircleCheck, badge: 'success', bar: 'primary' },
  warning: { icon: TriangleAlert, badge: 'warning', bar: 'warning' },
  critical: { icon: CircleAlert, badge: 'destructive', bar: 'destructive' },
} as const

/** Shares the query of the header: both always show the same numbers. */
export function MonthSection() {
  const { t } = useTranslation('plan')
  const { timeZone } = useOrganization()
  const overview = useUsageOverview()
  return (
    <CardSection title={t(($) => $.month.title)} description={t(($) => $.month.description, { timeZone })}>
      {overview ? (
        <Month overview={overview} />
      ) : (
        <Delayed>
          <Skeleton className="h-24" />
        </Delayed>
      )}
    </CardSection>
  )
}

function Month({ overview }: { overview: UsageOverview }) {
  const { t } = useTranslation('plan')
  const { plan, period, totals, thresholds } = overview
  const { icon: Icon, badge, bar } = LOOKS[thresholds.status]
  const share = plan.allowance ? period.messages / plan.allowance : totals.percentage
  return (
    <div className="flex flex-col gap-4">
      <AllowanceAlert overview={overview} />
      <div className="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <p>
          <span className="block text-[0.8125rem] text-muted-foreground first-letter:uppercase">
            {formatMonth(period.key)}
          </span>
          <span className="font-semibold text-2xl tabular-nums">{formatNumber(period.messages)}</span>{' '}
          <span className="text-muted-foreground tabular-nums">
            {plan.allowance === null
              ? t(($) => $.month.messages, { count: period.messages })
              : t(($) => $.month.ofAllowance, { count: plan.allowance, value: formatNumber(plan.allowance) })}
          </span>
        </p>
        <Badge tone={badge}>
          <Icon aria-hidden="true" />
          {stateOf(overview)}
        </Badge>
      </div>
      {share !== null && <Progress value={share} tone={bar} label={t(($) => $.month.bar)} className="h-2.5" />}
      <Remaining overview={overview} share={share} />
    </div>
  )

  function stateOf({ plan, totals, thresholds }: UsageOverview): string {
    if (plan.allowance === null) return t(($) => $.month.state.unlimited)
    return t(($) => $.month.state[totals.remaining === 0 ? 'usedUp' : thresholds.status])
  }
}

function Remaining({ overview, share }: { overview: UsageOverview; share: number | null }) {
  const { t } = useTranslation('plan')
  const { plan, period, totals } = overview
  const outlook = outlookOf(overview)
  if (plan.allowance === null || totals.remaining === null) {
    return <p className="text-muted-foreground">{t(($) => $.month.unlimited)}</p>
  }
  const above = period.messages - plan.allowance
  const day = formatCalendarDay(renewalDay(period.key), 'long')
  return (
    <div className="flex flex-col gap-1 text-muted-foreground tabular-nums">
      <p>
        <span className="font-medium text-foreground">
          {t(($) => $.month.remaining, { count: totals.remaining, value: formatNumber(totals.remaining) })}
        </span>{' '}
        {share !== null && t(($) => $.month.used, { share: formatPercent(share) })} {t(($) => $.month.renews, { day })}
      </p>
      {above > 0 && <p>{t(($) => $.month.above, { count: above, value: formatNumber(above) })}</p>}
      {outlook && (
        <p>
          {outlook.endsOn === null
            ? t(($) => $.month.lasts)
            : t(($) => $.month.runsOut, { day: formatCalendarDay(outlook.endsOn, 'long') })}
        </p>
      )}
    </div>
  )
}
