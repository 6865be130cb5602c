// Four numbers of the chosen days, and what they leave unsaid: tokens, and calls without a price.
import type { UsageCategory, UsageOverview } from '#shared/organizations/billing.ts'
import { formatCost, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Messages, runs of the helper, test messages and cost. */
export function UsageTiles({ overview: { totals, categories, unpricedModels } }: { overview: UsageOverview }) {
  const { t } = useTranslation('plan')
  const { unpricedCalls, cost } = totals
  const messagesOf = (key: UsageCategory) => categories.find((category) => category.key === key)?.messages ?? 0
  return (
    <div className="flex flex-col gap-3">
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Tile label={t(($) => $.tiles.messages)} value={formatNumber(totals.messages)} />
        <Tile label={t(($) => $.tiles.helper)} value={formatNumber(messagesOf('helper_generation'))} />
        <Tile label={t(($) => $.tiles.test)} value={formatNumber(messagesOf('test_message'))} />
        <Tile label={t(($) => $.tiles.cost)} value={costText()} />
      </dl>
      <p className="text-[0.8125rem] text-muted-foreground tabular-nums">
        {t(($) => $.tiles.tokens, { count: totals.tokens, value: formatNumber(totals.tokens) })}{' '}
        {unpricedCalls > 0 && t(($) => $.tiles.unpriced, { count: unpricedCalls, value: formatNumber(unpricedCalls) })}{' '}
        {unpricedModels.length > 0 && t(($) => $.tiles.unpricedModels, { models: modelsText() })}
      </p>
    </div>
  )

  function modelsText(): string {
    return unpricedModels.map(({ model, calls }) => `${model} (${formatNumber(calls)})`).join(', ')
  }

  /** Never lower than it may be: calls without a price make it a lower bound. */
  function costText(): string {
    if (unpricedCalls === 0) return formatCost(cost)
    return cost === 0 ? t(($) => $.tiles.unknownCost) : t(($) => $.tiles.atLeast, { cost: formatCost(cost) })
  }
}

function Tile({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex min-w-0 flex-col justify-between gap-1 rounded-lg bg-muted px-4 py-3">
      <dt className="text-[0.8125rem] text-muted-foreground leading-5">{label}</dt>
      <dd className="break-words font-semibold text-lg tabular-nums leading-6">{value}</dd>
    </div>
  )
}
