// What was computed of a table's rows: one line for each group, or a single one.
import type { ComputedGroups as Computed } from '#shared/knowledge/tables.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { DataGrid } from './data-grid.tsx'

/** Decimals of a computed number; more stand in no table that people keep. */
const DECIMALS = 4

/** Says how many groups are left out. */
export function ComputedGroups({ computed }: { computed: Computed }) {
  const { t } = useTranslation('conversations')
  const { groupedBy, aggregates, groups, groupCount } = computed
  const labels = aggregates.map(({ function: name, column }) =>
    column === null ? t(($) => $.rows.rowCount) : t(($) => $.rows.aggregate[name], { name: column }),
  )
  const title =
    groupedBy === null
      ? t(($) => $.rows.computed)
      : groups.length < groupCount
        ? t(($) => $.rows.groupsOf, { shown: formatNumber(groups.length), count: groupCount, name: groupedBy })
        : t(($) => $.rows.groups, { count: groupCount, name: groupedBy })
  const text = (value: string | number | boolean | null) => {
    if (typeof value === 'number') return formatNumber(value, DECIMALS)
    if (typeof value === 'boolean') return t(($) => $.rows[value ? 'yes' : 'no'])
    return value ?? '—'
  }
  return (
    <DataGrid
      title={title}
      columns={[...(groupedBy === null ? [] : [groupedBy]), ...labels]}
      rows={groups.map(({ key, values }, at) => ({
        id: String(at),
        cells: [
          ...(groupedBy === null ? [] : [key === null ? t(($) => $.rows.empty) : text(key)]),
          ...values.map(text),
        ],
      }))}
    />
  )
}
