// What the analysis has found in each column, and the type, which a person can correct.
import type { DataTable } from '#shared/tables.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { ColumnTypeChoice } from './column-type-choice.tsx'

/** Name, type and samples of each column, and how many of its cells do not fit the type. */
export function ColumnList({ table }: { table: DataTable }) {
  const { t } = useTranslation('tables')
  return (
    <div className="flex flex-col gap-3">
      <p className="max-w-prose text-muted-foreground">{t(($) => $.columns.hint)}</p>
      <section
        aria-label={t(($) => $.columns.label)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-border"
      >
        <table className="w-full text-start text-[0.8125rem]">
          <thead className="bg-muted text-muted-foreground">
            <tr>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.name)}</th>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.type)}</th>
              <th className="px-3 py-2 text-start font-medium">{t(($) => $.columns.samples)}</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-border">
            {table.columns.map(({ name }, index) => (
              <Column key={name} table={table} number={index + 1} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Column({ table, number }: { table: DataTable; number: number }) {
  const { t } = useTranslation('tables')
  const column = table.columns[number - 1]
  if (!column) return null
  const isImported = table.importedColumn === number
  return (
    <tr className="align-top">
      <th scope="row" className="px-3 py-2 text-start font-medium">
        {column.unit === undefined ? column.name : `${column.name}, ${column.unit}`}{' '}
        {isImported && <Badge tone="primary">{t(($) => $.columns.imported)}</Badge>}
      </th>
      <td className="px-3 py-2">
        <ColumnTypeChoice tableId={table._id} number={number} column={column} />
      </td>
      <td className="px-3 py-2 text-muted-foreground">
        {column.samples.length > 0 ? column.samples.join(' · ') : t(($) => $.columns.empty)}
      </td>
    </tr>
  )
}
