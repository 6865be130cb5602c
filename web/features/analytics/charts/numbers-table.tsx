// Rows of numbers, each of which leads to what is behind it.
import { Link } from 'react-router'

/** `to`: where a number leads; null, or left out: nowhere. */
export type Column<Row> = { key: string; label: string; value: (row: Row) => string; to?: (row: Row) => string | null }

type NumbersTableProps<Row> = {
  caption: string
  /** Over the names of the rows. */
  head: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  rowName: (row: Row) => string
}

/** Scrolls within its frame where it is wider. */
export function NumbersTable<Row>({ caption, head, rows, columns, rowKey, rowName }: NumbersTableProps<Row>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reachable by keyboard
    <section tabIndex={0} aria-label={caption} className="overflow-x-auto">
      <table className="w-full text-sm">
        <caption className="sr-only">{caption}</caption>
        <thead className="border-border border-b text-[0.8125rem] text-muted-foreground">
          <tr>
            <th scope="col" className="pe-3 pb-2 text-start align-bottom font-medium">
              {head}
            </th>
            {columns.map(({ key, label }) => (
              <th key={key} scope="col" className="ps-3 pb-2 text-end align-bottom font-medium">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-border">
          {rows.map((row) => (
            <tr key={rowKey(row)}>
              <th scope="row" className="min-w-32 break-words py-1.5 pe-3 text-start font-normal">
                {rowName(row)}
              </th>
              {columns.map(({ key, value, to }) => (
                <td key={key} className="whitespace-nowrap py-1.5 ps-3 text-end tabular-nums">
                  <Value text={value(row)} to={to?.(row) ?? null} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Value({ text, to }: { text: string; to: string | null }) {
  if (to === null) return text
  return (
    <Link to={to} className="inline-flex min-h-6 min-w-6 items-center justify-end underline-offset-4 hover:underline">
      {text}
    </Link>
  )
}
