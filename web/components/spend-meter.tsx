// This month's spending against its limit: a bar, and the same in words.

import { USAGE_WARNING_SHARE } from '#shared/limits.ts'
import type { Spend } from '#shared/organizations/billing.ts'
import { Progress } from '#web/components/ui/progress.tsx'
import { cn } from '#web/lib/cn.ts'
import { formatCost, formatNumber, formatPercent, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

const TONES = { ok: 'primary', near: 'warning', reached: 'destructive' } as const

type SpendMeterProps = {
  spend: Spend
  /** The limit in effect; null when there is none: no bar is shown. */
  limitUsd: number | null
  className?: string
}

/** Also counts calls without a known price, so that the sum is never shown as lower than it may be. */
export function SpendMeter({ spend, limitUsd, className }: SpendMeterProps) {
  const { t } = useTranslation()
  const { costUsd, unpricedCalls } = spend
  const share = limitUsd === null ? null : costUsd / limitUsd
  const state = share === null ? null : share >= 1 ? 'reached' : share >= USAGE_WARNING_SHARE ? 'near' : 'ok'
  const spent = sumText()

  function sumText(): string {
    if (unpricedCalls === 0) return formatCost(costUsd)
    return costUsd === 0 ? t(($) => $.spend.unknown) : t(($) => $.spend.atLeast, { sum: formatCost(costUsd) })
  }
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <p className="font-medium tabular-nums">
        {limitUsd === null
          ? t(($) => $.spend.spent, { spent })
          : t(($) => $.spend.ofLimit, { spent, limit: formatUsd(limitUsd, 2) })}
      </p>
      {share !== null && state && <Progress value={share} label={t(($) => $.spend.bar)} tone={TONES[state]} />}
      <p
        className={cn(
          'text-[0.8125rem] text-muted-foreground',
          state === 'near' && 'text-warning-soft-foreground',
          state === 'reached' && 'text-destructive-soft-foreground',
        )}
      >
        {state && share !== null
          ? t(($) => $.spend.state[state], { percent: formatPercent(Math.min(1, share)) })
          : t(($) => $.spend.noLimit)}{' '}
        {unpricedCalls > 0 && t(($) => $.spend.unpriced, { count: unpricedCalls, value: formatNumber(unpricedCalls) })}
      </p>
    </div>
  )
}
