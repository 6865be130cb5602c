// The header's counters: messages sent, allowance left, plan.
import { MessageSquare, TriangleAlert } from 'lucide-react'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'

/** Messages of this month, what is left of it, and in words when that is little; a dash while loading. `isCompact`: only where there is room. */
export function UsageCounter({ isCompact = false }: { isCompact?: boolean }) {
  const { t } = useTranslation()
  const overview = useUsageOverview()
  const sent = overview ? formatNumber(overview.period.messages) : '–'
  const remaining = overview ? remainingText(overview) : '–'
  const status = overview?.thresholds.status ?? 'ok'
  const state = overview && stateText(overview)
  const Icon = status === 'ok' ? MessageSquare : TriangleAlert

  function remainingText({ totals }: UsageOverview): string {
    if (totals.remaining === null) return t(($) => $.header.unlimited)
    return t(($) => $.header.remaining, { value: formatNumber(totals.remaining) })
  }
  /** Null while enough is left. */
  function stateText({ totals, thresholds }: UsageOverview): string | null {
    if (thresholds.status === 'ok') return null
    const state = totals.remaining === 0 ? 'usedUp' : thresholds.status
    return t(($) => $.header.state[state])
  }
  const hint = `${t(($) => $.header.messages)}: ${t(($) => $.header.usageHint, { sent, remaining })}`
  return (
    <Tooltip content={state ? `${hint} · ${state}` : hint} side="bottom">
      <div
        className={cn(
          'flex h-8 items-center gap-2 rounded-lg px-2 text-[0.8125rem] text-muted-foreground tabular-nums',
          status === 'warning' && 'bg-warning-soft text-warning-soft-foreground',
          status === 'critical' && 'bg-destructive-soft text-destructive-soft-foreground',
        )}
      >
        <Icon aria-hidden="true" className="size-4 shrink-0" />
        <span className="sr-only">{t(($) => $.header.messages)}: </span>
        <span className={cn('font-medium', status === 'ok' && 'text-foreground')}>{sent}</span>
        <span aria-hidden="true" className={cn(isCompact && 'max-sm:hidden')}>
          ·
        </span>
        <span className={cn('whitespace-nowrap', isCompact && 'max-sm:sr-only')}>{remaining}</span>
        {state && (
          <span className={cn('whitespace-nowrap font-medium', isCompact && 'max-lg:sr-only')}>
            <span aria-hidden="true">· </span>
            {state}
          </span>
        )}
      </div>
    </Tooltip>
  )
}

/** Name of the organization's plan; "Parking" without one. */
export function PlanBadge() {
  const { t } = useTranslation()
  const organization = useOrganization()
  const overview = useUsageOverview()
  const slug = overview ? overview.plan.slug : organization.plan
  const isParking = slug === null || slug === 'parking'
  const name = isParking ? t(($) => $.plans.parking) : (overview?.plan.name ?? slug)
  return (
    <Badge tone="neutral" title={`${t(($) => $.header.plan)}: ${name}`}>
      <span className="sr-only">{t(($) => $.header.plan)}: </span>
      {name}
    </Badge>
  )
}
