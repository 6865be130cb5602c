// The rows of a table as they stand in the file: loaded as they are scrolled to, only visible ones drawn.
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef } from 'react'
import type { DataTable, TableRow } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { usePaginatedQuery } from '#web/lib/server/convex.ts'

const PAGE_SIZE = 200
const ROW_HEIGHT_PX = 36

/** Fills the dialog; a cell that is cut off shows its whole text on hover. */
export function RowGrid({ table }: { table: DataTable }) {
  const { results, status, loadMore } = usePaginatedQuery(
    api.knowledge.tables.rows,
    { tableId: table._id },
    { initialNumItems: PAGE_SIZE },
  )
  const rows: TableRow[] = results
  if (status === 'LoadingFirstPage') {
    return (
      <Delayed>
        <Skeleton className="h-64" />
      </Delayed>
    )
  }
  return (
    <VirtualRows
      table={table}
      rows={rows}
      canLoadMore={status === 'CanLoadMore'}
      onLoadMore={() => loadMore(PAGE_SIZE)}
    />
  )
}

type VirtualRowsProps = { table: DataTable; rows: TableRow[]; canLoadMore: boolean; onLoadMore: () => void }

function VirtualRows({ table, rows, canLoadMore, onLoadMore }: VirtualRowsProps) {
  const { t } = useTranslation('tables')
  const viewport = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => ROW_HEIGHT_PX,
    overscan: 10,
  })
  const shown = virtual.getVirtualItems()
  const lastShown = shown.at(-1)?.index ?? 0
  useEffect(() => {
    if (canLoadMore && lastShown >= rows.length - 50) onLoadMore()
  }, [canLoadMore, lastShown, rows.length, onLoadMore])
  const above = shown[0]?.start ?? 0
  const below = virtual.getTotalSize() - (shown.at(-1)?.end ?? 0)
  return (
    <section
      ref={viewport}
      aria-label={t(($) => $.rows.label, { name: table.name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      className="max-h-[55dvh] overflow-auto overscroll-contain rounded-lg border border-border"
    >
      <table
        aria-rowcount={table.rows + 1}
        className="min-w-full text-[0.8125rem]"
        style={{ marginTop: above, marginBottom: below }} // the room of the rows that are not drawn
      >
        <thead className="sticky top-0 z-10 bg-muted text-muted-foreground">
          <tr aria-rowindex={1}>
            <th className="px-3 py-2 text-end font-medium">{t(($) => $.rows.number)}</th>
            {table.columns.map((column) => (
              <th
                key={column.name}
                className={`max-w-72 truncate px-3 py-2 font-medium ${column.type === 'number' ? 'text-end' : 'text-start'}`}
              >
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map(({ index }) => {
            const row = rows[index]
            return row && <GridRow key={row.number} table={table} row={row} />
          })}
        </tbody>
      </table>
    </section>
  )
}

function GridRow({ table, row }: { table: DataTable; row: TableRow }) {
  return (
    <tr aria-rowindex={row.number + 1} style={{ height: ROW_HEIGHT_PX }} className="border-border border-t">
      <th scope="row" className="px-3 text-end font-normal text-muted-foreground tabular-nums">
        {formatNumber(row.number)}
      </th>
      {table.columns.map((column, index) => (
        <td
          key={column.name}
          title={row.cells[index]}
          className={`max-w-72 truncate px-3 ${column.type === 'number' ? 'text-end tabular-nums' : ''}`}
        >
          {row.cells[index]}
        </td>
      ))}
    </tr>
  )
}
