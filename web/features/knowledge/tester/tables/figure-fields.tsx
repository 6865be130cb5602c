// One figure of a table question: what is computed, and of which column.
import { X } from 'lucide-react'
import { useId } from 'react'
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { columnOptions } from './column-options.ts'
import { computableColumns, type FigureDraft, figureBy, possibleFunctions } from './table-form.rules.ts'

/** Of the select of columns. */
const ROWS = 'rows'

type FigureFieldsProps = {
  columns: TableColumn[]
  figure: FigureDraft
  number: number
  onChange: (figure: FigureDraft) => void
  onRemove: () => void
}

/** Rows can be counted; everything else is computed of a column whose type allows it. */
export function FigureFields({ columns, figure, number, onChange, onRemove }: FigureFieldsProps) {
  const { t } = useTranslation('rag-tester')
  const titleId = useId()
  const functions = possibleFunctions(columns)
  const rows = figure.function === 'count' ? [{ value: ROWS, label: t(($) => $.tables.allRows) }] : []
  return (
    <fieldset aria-labelledby={titleId} className="flex flex-col gap-2 rounded-lg border border-border p-3">
      <div className="flex items-center justify-between gap-2">
        <span id={titleId} className="font-medium">
          {t(($) => $.tables.figure, { number })}
        </span>
        <Button
          size="icon-sm"
          variant="ghost"
          aria-label={t(($) => $.tables.removeFigure, { number })}
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </Button>
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={t(($) => $.tables.function)}>
          <Select
            value={figure.function}
            onValueChange={(next) => {
              const name = functions.find((each) => each === next)
              if (name) onChange(figureBy(columns, figure, name))
            }}
            options={functions.map((value) => ({ value, label: t(($) => $.tables.functions[value]) }))}
          />
        </Field>
        <Field label={t(($) => $.tables.column)}>
          <Select
            value={figure.column === null ? ROWS : String(figure.column)}
            onValueChange={(next) => onChange({ ...figure, column: next === ROWS ? null : Number(next) })}
            options={[...rows, ...columnOptions(columns, computableColumns(columns, figure.function))]}
          />
        </Field>
      </div>
    </fieldset>
  )
}
