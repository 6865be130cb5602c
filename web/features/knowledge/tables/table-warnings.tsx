// What a reader of an analyzed table should know: rows or sheets left out, a guessed encoding.
import { TriangleAlert } from 'lucide-react'
import type { TableWarning } from '#shared/tables.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { pageRanges } from '../documents/page-ranges.ts'

/** One line for each warning. */
export function TableWarnings({ warnings }: { warnings: TableWarning[] }) {
  if (warnings.length === 0) return null
  return (
    <ul className="mt-1 flex max-w-prose flex-col gap-1 text-[0.8125rem] text-warning-soft-foreground">
      {warnings.map((warning) => (
        <li key={warning.kind} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <WarningText warning={warning} />
        </li>
      ))}
    </ul>
  )
}

function WarningText({ warning }: { warning: TableWarning }) {
  const { t } = useTranslation('knowledge')
  const { t: tTables } = useTranslation('tables')
  switch (warning.kind) {
    case 'rows_left_out':
      return t(($) => $.warning.limit_rows, { count: warning.kept })
    case 'sheets_left_out':
      return tTables(($) => $.warning.sheets_left_out, { count: warning.count })
    case 'ragged_rows':
      return t(($) => $.warning.ragged_rows, {
        count: warning.count,
        rows: pageRanges(warning.rows) + (warning.count > warning.rows.length ? '…' : ''),
      })
    case 'encoding_guessed':
      return t(($) => $.warning.encoding_guessed, { encoding: warning.encoding })
    default:
      return warning satisfies never
  }
}
