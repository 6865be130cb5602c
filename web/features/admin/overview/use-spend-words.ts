// Costs and changes of the overview in words.
import type { InstallationSpend } from '#shared/organizations/overview.ts'
import { formatCost, formatNumber, formatPercent } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import type { Measure } from './use-overview-view.ts'

const MICRO = 1_000_000

export function useSpendWords() {
  const { t } = useTranslation('admin')
  return { costOf, numberText, change }

  /** Never lower than it may be: calls without a price make it a lower bound. */
  function costOf({ costMicroUsd, unpricedCalls }: Pick<InstallationSpend, 'costMicroUsd' | 'unpricedCalls'>): string {
    const cost = formatCost(costMicroUsd / MICRO)
    if (unpricedCalls === 0) return cost
    return costMicroUsd === 0 ? t(($) => $.overview.unknownCost) : t(($) => $.overview.atLeast, { cost })
  }

  function numberText(measure: Measure, value: number): string {
    return measure === 'cost' ? formatCost(value / MICRO) : formatNumber(value)
  }

  /** Compared with as many days before. */
  function change(now: number, before: number): string {
    if (now === before) return t(($) => $.overview.change.same)
    if (before === 0) return t(($) => $.overview.change.fromNothing)
    const by = formatPercent(Math.abs(now - before) / before)
    return now > before ? t(($) => $.overview.change.up, { by }) : t(($) => $.overview.change.down, { by })
  }
}

/** The number of a spend that a measure means. */
export function measured(measure: Measure, spend: InstallationSpend): number {
  return measure === 'cost' ? spend.costMicroUsd : spend[measure]
}
