// The type of one column: a select, with the values that do not fit.
import { TriangleAlert } from 'lucide-react'
import { COLUMN_TYPES, type DataTable, type TableColumn } from '#shared/knowledge/tables.ts'
import { api } from '#web/api.ts'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

type ColumnTypeChoiceProps = { tableId: DataTable['_id']; number: number; column: TableColumn }

/** The choice is shown at once; the server then recomputes the values. */
export function ColumnTypeChoice({ tableId, number, column }: ColumnTypeChoiceProps) {
  const { t } = useTranslation('tables')
  const setType = useMutation(api.knowledge.tables.setColumnType)
  function choose(value: string) {
    const type = COLUMN_TYPES.find((known) => known === value)
    if (!type) return
    void setType({ tableId, column: number, type }).catch(() => undefined) // reported in a toast
  }
  return (
    <>
      <Select
        className="w-40"
        aria-label={t(($) => $.columns.typeOf, { name: column.name })}
        value={column.wanted ?? column.type}
        onValueChange={choose}
        options={COLUMN_TYPES.map((type) => ({ value: type, label: t(($) => $.type[type]) }))}
      />
      <div role="status" className="max-w-72">
        {column.wanted ? (
          <p className="mt-1 text-muted-foreground">{t(($) => $.columns.recomputing)}</p>
        ) : (
          column.unfit > 0 && <Unfit column={column} />
        )}
      </div>
    </>
  )
}

function Unfit({ column: { type, unfit, misfits = [] } }: { column: TableColumn }) {
  const { t } = useTranslation('tables')
  const examples = misfits.map(({ row, cell }) => t(($) => $.columns.misfit, { row, cell })).join(', ')
  return (
    <p className="mt-1 flex items-start gap-1 text-warning-soft-foreground">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 break-words">
        {t(($) => $.columns.unfit, { count: unfit, kind: t(($) => $.columns.not[type]) })}
        {examples && ` ${t(($) => $.columns.misfits, { examples })}`}
      </span>
    </p>
  )
}
