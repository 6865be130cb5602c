// What will become of a chosen file: columns that can be changed, the first notes, and rows that cannot be taken.
import { useId } from 'react'
import { Alert } from '#web/components/ui/alert.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ImportColumns, ImportedNote, RowError } from './import.rules.ts'

type ImportPreviewProps = {
  rows: string[][]
  columns: ImportColumns
  notes: ImportedNote[]
  errors: RowError[]
  onChange: (columns: ImportColumns) => void
}

const NOTES_SHOWN = 3
const ERRORS_SHOWN = 20
/** A select has no empty value. */
const NONE = 'none'

/** Live: every change of a column is shown at once. */
export function ImportPreview({ rows, columns, notes, errors, onChange }: ImportPreviewProps) {
  const { t } = useTranslation('knowledge')
  return (
    <div className="flex flex-col gap-4">
      <Columns rows={rows} columns={columns} onChange={onChange} />
      <p role="status" className="font-medium">
        {t(($) => $.import.found, { count: notes.length })}
      </p>
      {notes.length > 0 && (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {notes.slice(0, NOTES_SHOWN).map((note) => (
            <li key={note.name} className="px-3 py-2">
              <p className="truncate font-medium">{note.name}</p>
              <p className="line-clamp-2 text-muted-foreground">{note.content}</p>
              {note.alsoAskedAs.length > 0 && (
                <p className="text-muted-foreground text-xs">
                  {t(($) => $.notes.wordings, { count: note.alsoAskedAs.length })}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {errors.length > 0 && (
        <Alert tone="warning" title={t(($) => $.import.left, { count: errors.length })}>
          <ul>
            {errors.slice(0, ERRORS_SHOWN).map(({ row, problem, name }) => (
              <li key={row}>{t(($) => $.import.problem[problem], { row, name })}</li>
            ))}
          </ul>
          {errors.length > ERRORS_SHOWN && (
            <p>{t(($) => $.import.moreErrors, { count: errors.length - ERRORS_SHOWN })}</p>
          )}
        </Alert>
      )}
    </div>
  )
}

type ColumnsProps = Pick<ImportPreviewProps, 'rows' | 'columns' | 'onChange'>

function Columns({ rows, columns, onChange }: ColumnsProps) {
  const { t } = useTranslation('knowledge')
  const headerId = useId()
  const width = rows.slice(0, 50).reduce((most, row) => Math.max(most, row.length), 0)
  const options = Array.from({ length: width }, (_, at) => ({
    value: String(at),
    label: (columns.hasHeader && rows[0]?.[at]?.trim()) || t(($) => $.import.column, { number: at + 1 }),
  }))
  const none = { value: NONE, label: t(($) => $.import.none) }
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={t(($) => $.notes.name)}>
          <Select
            value={String(columns.name)}
            options={options}
            onValueChange={(value) => onChange({ ...columns, name: Number(value) })}
          />
        </Field>
        <Field label={t(($) => $.notes.content)}>
          <Select
            value={String(columns.content)}
            options={options}
            onValueChange={(value) => onChange({ ...columns, content: Number(value) })}
          />
        </Field>
        <Field label={t(($) => $.notes.alsoAskedAs)}>
          <Select
            value={columns.wordings === null ? NONE : String(columns.wordings)}
            options={[none, ...options]}
            onValueChange={(value) => onChange({ ...columns, wordings: value === NONE ? null : Number(value) })}
          />
        </Field>
      </div>
      <div className="flex items-center gap-2.5">
        <Switch
          id={headerId}
          checked={columns.hasHeader}
          onCheckedChange={(hasHeader) => onChange({ ...columns, hasHeader })}
        />
        <label htmlFor={headerId}>{t(($) => $.import.hasHeader)}</label>
      </div>
    </div>
  )
}
