// The columns of a breakdown: all that is measured of its conversations.
import type { BreakdownBy, BreakdownRow } from '#shared/analytics/analytics.ts'
import type { Measured } from '#shared/analytics/links.ts'
import { formatNumber, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useBehind } from './analytics-context.tsx'
import type { Column } from './charts/numbers-table.tsx'
import { useLength } from './use-length.ts'

const COUNTS = ['conversations', 'resolved', 'handedOff', 'reopened', 'unanswered', 'didNotKnow'] as const

/** Every number with something behind it leads there. @param range undefined while the breakdown loads */
export function useMeasureColumns(
  by: BreakdownBy,
  range: { start: number; end: number } | undefined,
): Column<BreakdownRow>[] {
  const { t } = useTranslation('analytics')
  const lengthOf = useLength()
  const { ofRow } = useBehind()
  const toOf = (what: Exclude<Measured, 'written'>) => (row: BreakdownRow) =>
    range ? ofRow(by, row.key, what, range) : null
  const usd = (micro: number | null) => (micro === null ? t(($) => $.figures.none) : formatUsd(micro / 1e6))
  return [
    ...COUNTS.map((what) => ({
      key: what,
      label: t(($) => $.figures.name[what]),
      value: (row: BreakdownRow) => formatNumber(row[what]),
      to: toOf(what),
    })),
    {
      key: 'firstResponse',
      label: t(($) => $.columns.firstResponse),
      value: ({ firstResponse }) => lengthOf(firstResponse.medianMs),
      to: toOf('answered'),
    },
    {
      key: 'firstResponseP90',
      label: t(($) => $.columns.firstResponseP90),
      value: ({ firstResponse }) => lengthOf(firstResponse.p90Ms),
      to: toOf('answered'),
    },
    {
      key: 'resolution',
      label: t(($) => $.columns.resolution),
      value: ({ resolution }) => lengthOf(resolution.medianMs),
      to: toOf('settled'),
    },
    {
      key: 'rating',
      label: t(($) => $.figures.name.rating),
      value: ({ ratings }) => (ratings.average === null ? t(($) => $.figures.none) : formatNumber(ratings.average, 1)),
      to: toOf('rated'),
    },
    {
      key: 'perConversation',
      label: t(($) => $.figures.name.perConversation),
      value: ({ cost }) => usd(cost.perConversation),
      to: toOf('conversations'),
    },
    {
      key: 'perResolution',
      label: t(($) => $.figures.name.perResolution),
      value: ({ cost }) => usd(cost.perResolution),
      to: toOf('resolved'),
    },
    {
      key: 'unpriced',
      label: t(($) => $.columns.unpriced),
      value: ({ cost }) => formatNumber(cost.unpricedCalls),
      to: toOf('unpriced'),
    },
  ]
}
