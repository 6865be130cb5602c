// What a reader of an analyzed table should know: rows or sheets left out, a guessed encoding.
import { Sheet, TriangleAlert } from 'lucide-react'
import type { TableWarning } from '#shared/knowledge/tables.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Undrawn } from '#web/components/ui/part-boundary.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { pageRanges } from '../documents/page-ranges.ts'

type TableWarningsProps = {
  warnings: TableWarning[]
  /** Undefined: which sheets the file has is not known. */
  onChooseSheets: (() => void) | undefined
}

/** One line for each warning, with what can be done about it. */
export function TableWarnings({ warnings, onChooseSheets }: TableWarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul className="mt-1 flex max-w-prose flex-col gap-1 text-[0.8125rem] text-warning-soft-foreground">
      {warnings.map((warning) => (
        <li key={warning.kind === 'filled_down' ? warning.column : warning.kind} className="flex items-start gap-1.5">
          <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          <div className="flex flex-col items-start gap-2">
            <WarningText warning={warning} canChooseSheets={onChooseSheets !== undefined} />
            {warning.kind === 'sheets_left_out' && onChooseSheets && <ChooseSheets onChoose={onChooseSheets} />}
          </div>
        </li>
      ))}
    </ul>
  )
}

function ChooseSheets({ onChoose }: { onChoose: () => void }) {
  const { t } = useTranslation('tables')
  return (
    <Button size="sm" className="relative z-10" onClick={onChoose}>
      <Sheet aria-hidden="true" />
      {t(($) => $.sheets.choose)}
    </Button>
  )
}

function WarningText({ warning, canChooseSheets }: { warning: TableWarning; canChooseSheets: boolean }) {
  const { t } = useTranslation('knowledge')
  const { t: tTables } = useTranslation('tables')
  switch (warning.kind) {
    case 'rows_left_out':
      return t(($) => $.warning.limit_rows, { count: warning.kept })
    case 'sheets_left_out':
      return canChooseSheets
        ? tTables(($) => $.warning.sheets_left_out, { count: warning.count })
        : `${tTables(($) => $.warning.sheets_left_out, { count: warning.count })} ${tTables(($) => $.warning.upload_again)}`
    case 'totals_left_out':
      return tTables(($) => $.warning.totals_left_out, { count: warning.count })
    case 'ragged_rows':
      return t(($) => $.warning.ragged_rows, {
        count: warning.count,
        rows: pageRanges(warning.rows) + (warning.count > warning.rows.length ? '…' : ''),
      })
    case 'encoding_guessed':
      return t(($) => $.warning.encoding_guessed, { encoding: warning.encoding })
    case 'sections':
      return tTables(($) => $.warning.sections, {
        count: warning.count,
        column: warning.column,
        names: listed(warning.names, warning.count),
      })
    case 'notes_left_out':
      return tTables(($) => $.warning.notes_left_out, {
        count: warning.count,
        texts: warning.texts.map((text) => `«${text}»`).join(', '),
      })
    case 'headers_left_out':
      return tTables(($) => $.warning.headers_left_out, { count: warning.count })
    case 'hidden_left_out':
      return tTables(($) => $.warning.hidden_left_out, { rows: warning.rows, columns: warning.columns })
    case 'hidden_sheets_left_out':
    case 'struck_left_out':
      return tTables(($) => $.warning[warning.kind], { count: warning.count })
    case 'filled_down':
      return tTables(($) => $.warning.filled_down, { count: warning.count, column: warning.column })
    case 'delimiter_unsure':
    case 'header_unsure':
      return tTables(($) => $.warning[warning.kind])
    case 'sections_unsure':
      return tTables(($) => $.warning.sections_unsure, { names: listed(warning.names, warning.count) })
    default:
      warning satisfies never
      return <Undrawn />
  }
}

function listed(names: string[], count: number): string {
  return names.join(', ') + (count > names.length ? '…' : '')
}
