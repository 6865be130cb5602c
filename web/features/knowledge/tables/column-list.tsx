// What the analysis has found in each column.
import { TriangleAlert } from 'lucide-react'
import type { TableColumn } from '#shared/tables.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

type ColumnListProps = { columns: TableColumn[]; importedColumn: number | null }

/** Name, type and samples of each column, and how many of its cells do not fit the type. */
export function ColumnList({ columns, importedColumn }: ColumnListProps) {
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
            {columns.map((column, index) => (
              <Column key={column.name} column={column} isImported={importedColumn === index + 1} />
            ))}
          </tbody>
        </table>
      </section>
    </div>
  )
}

function Column({ column, isImported }: { column: TableColumn; isImported: boolean }) {
  const { t } = useTranslation('tables')
  return (
    <tr className="align-top">
      <th scope="row" className="px-3 py-2 text-start font-medium">
        {column.name} {isImported && <Badge tone="primary">{t(($) => $.columns.imported)}</Badge>}
      </th>
      <td className="px-3 py-2">
        <Badge>{t(($) => $.type[column.type])}</Badge>
        {column.unfit > 0 && (
          <p className="mt-1 flex items-start gap-1 text-warning-soft-foreground">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            {t(($) => $.columns.unfit, { count: column.unfit })}
          </p>
        )}
      </td>
      <td className="px-3 py-2 text-muted-foreground">
        {column.samples.length > 0 ? column.samples.join(' · ') : t(($) => $.columns.empty)}
      </td>
    </tr>
  )
}
