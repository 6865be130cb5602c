// What a reader of a column's numbers should know: cells that are not quite numbers, several units, texts that only look like numbers.
import { TriangleAlert } from 'lucide-react'
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** One line for each note. */
export function ColumnNotes({ column: { notes = [], units, numbers = 0 } }: { column: TableColumn }) {
  const { t } = useTranslation('tables')
  const lines = notes.map(({ kind, count, cells }) =>
    t(($) => $.notes.such, {
      note: t(($) => $.notes[kind], { count }),
      examples: cells.map(({ cell, row }) => t(($) => $.columns.misfit, { cell, row })).join(', '),
    }),
  )
  if (units) lines.push(t(($) => $.notes.units, { units: units.values.map((unit) => unit || '—').join(', ') }))
  if (numbers > 1) lines.push(t(($) => $.notes.numbers))
  return lines.map((line) => (
    <p key={line} className="mt-1 flex items-start gap-1 text-warning-soft-foreground">
      <TriangleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
      <span className="min-w-0 break-words">{line}</span>
    </p>
  ))
}
