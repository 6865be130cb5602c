// The rows of a table that one question was about, and what was computed of them.
import type { UsedRows } from '#shared/knowledge/tables.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { ComputedGroups } from './computed-groups.tsx'
import { DataGrid } from './data-grid.tsx'

/** What was computed comes first. Says how many rows there are when not all are shown. */
export function UsedRowsView({ used: { columns, rows, matched, computed } }: { used: UsedRows }) {
  const { t } = useTranslation('conversations')
  const title =
    rows.length < matched
      ? t(($) => $.rows.shownOf, { shown: formatNumber(rows.length), count: matched })
      : t(($) => $.rows.all, { count: matched })
  return (
    <>
      {computed && <ComputedGroups computed={computed} />}
      <DataGrid
        title={title}
        columns={[t(($) => $.rows.number), ...columns]}
        rows={rows.map(({ number, cells }) => ({
          id: String(number),
          cells: [formatNumber(number), ...columns.map((_, at) => cells[at])],
        }))}
        isNumbered
      />
    </>
  )
}
