// The header's counters: messages sent, allowance left, plan.
import { CircleAlert, MessageSquare, TriangleAlert } from 'lucide-react'
import { Link } from 'react-router'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { Tooltip } from '#web/components/ui/tooltip.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'

const ICONS = { ok: MessageSquare, warning: TriangleAlert, critical: CircleAlert }

/**
 * Messages of this month, what is left of it, and in words when that is little; a dash while loading. Leads to the plan. `isCompact`: only
 * where there is room.
 */
export function UsageCounter({ isCompact = false }: { isCompact?: boolean }) {
  const { t } = useTranslation()
  const overview = useUsageOverview()
  const sent = overview ? formatNumber(overview.period.messages) : '–'
  const remaining = overview ? remainingText(overview) : '–'
  const status = statusOf(overview)
  const state = overview && stateText(overview)
  const Icon = ICONS[status]

  function remainingText({ totals }: UsageOverview): string {
    if (totals.remaining === null) return t(($) => $.header.unlimited)
    return t(($) => $.header.remaining, { value: formatNumber(totals.remaining) })
  }
  /** Null while enough is left. */
  function stateText({ totals }: UsageOverview): string | null {
    if (status === 'ok') return null
    const state = totals.remaining === 0 ? 'usedUp' : status
    return t(($) => $.header.state[state])
  }
  const hint = `${t(($) => $.header.messages)}: ${t(($) => $.header.usageHint, { sent, remaining })}`
  return (
    <Tooltip content={state ? `${hint} · ${state}` : hint} side="bottom">
      <Link
        to={paths.plan}
        className={cn(
          'flex h-8 items-center gap-2 rounded-lg px-2 text-[0.8125rem] text-muted-foreground tabular-nums hover:bg-accent pointer-coarse:h-11',
          status === 'warning' && 'bg-warning-soft text-warning-soft-foreground hover:bg-warning-soft',
          status === 'critical' && 'bg-destructive-soft text-destructive-soft-foreground hover:bg-destructive-soft',
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
      </Link>
    </Tooltip>
  )
}

/** One that only a newer server knows is shown as if all were well: the numbers say the rest. */
function statusOf(overview: UsageOverview | undefined): keyof typeof ICONS {
  const status = overview?.thresholds.status ?? 'ok'
  return Object.hasOwn(ICONS, status) ? status : 'ok'
}

/** Name of the organization's plan; in words that there is none. */
export function PlanBadge() {
  const { t } = useTranslation()
  const organization = useOrganization()
  const overview = useUsageOverview()
  const slug = overview ? overview.plan.slug : organization.plan
  const name =
    slug === null
      ? t(($) => $.plans.none)
      : slug === 'parking'
        ? t(($) => $.plans.parking)
        : (overview?.plan.name ?? slug)
  return (
    <Badge tone="neutral" title={`${t(($) => $.header.plan)}: ${name}`}>
      <span className="sr-only">{t(($) => $.header.plan)}: </span>
      {name}
    </Badge>
  )
}
