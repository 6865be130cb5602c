// One filter of a table question: a column, a condition, and what it is compared with.
import { X } from 'lucide-react'
import { type ComponentProps, useId } from 'react'
import { FILTER_TEXT_MAX, OPERATORS_OF, takesValue } from '#shared/knowledge/table-questions.ts'
import type { TableColumn } from '#shared/knowledge/tables.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { columnOptions } from './column-options.ts'
import { type FilterDraft, filterOn } from './table-form.rules.ts'

type FilterFieldsProps = {
  columns: TableColumn[]
  filter: FilterDraft
  number: number
  isMissing: boolean
  onChange: (filter: FilterDraft) => void
  onRemove: () => void
}

/** Another column begins with the condition and the value of its own type. */
export function FilterFields({ columns, filter, number, isMissing, onChange, onRemove }: FilterFieldsProps) {
  const { t } = useTranslation('rag-tester')
  const titleId = useId()
  const type = columns[filter.column - 1]?.type ?? 'text'
  return (
    <fieldset aria-labelledby={titleId} className="flex flex-col gap-2 rounded-lg border border-border p-3">
      <div className="flex items-center justify-between gap-2">
        <span id={titleId} className="font-medium">
          {t(($) => $.tables.filter, { number })}
        </span>
        <Button
          size="icon-sm"
          variant="ghost"
          aria-label={t(($) => $.tables.removeFilter, { number })}
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </Button>
      </div>
      <div className="grid gap-3 sm:grid-cols-3">
        <Field label={t(($) => $.tables.column)}>
          <Select
            value={String(filter.column)}
            onValueChange={(next) => onChange(filterOn(columns, filter.key, Number(next)))}
            options={columnOptions(columns)}
          />
        </Field>
        <Field label={t(($) => $.tables.operator)}>
          <Select
            value={filter.operator}
            onValueChange={(next) => {
              const operator = OPERATORS_OF[type].find((each) => each === next)
              if (operator) onChange({ ...filter, operator })
            }}
            options={OPERATORS_OF[type].map((value) => ({ value, label: t(($) => $.tables.operators[value]) }))}
          />
        </Field>
        {takesValue(filter.operator) && (
          <Field
            label={t(($) => $.tables.value)}
            error={isMissing ? t(($) => $.tables.valueRequired) : undefined}
            isRequired
          >
            <ValueInput type={type} value={filter.value} onValueChange={(value) => onChange({ ...filter, value })} />
          </Field>
        )}
      </div>
    </fieldset>
  )
}

type ValueInputProps = Omit<ComponentProps<'input'>, 'type' | 'value' | 'onChange'> & {
  type: TableColumn['type']
  value: FilterDraft['value']
  onValueChange: (value: FilterDraft['value']) => void
}

/** A control that fits the type; what the field says of it goes on to the control. */
function ValueInput({ type, value, onValueChange, ...field }: ValueInputProps) {
  const { t } = useTranslation('rag-tester')
  if (type === 'number') {
    return <NumberInput {...field} value={typeof value === 'number' ? value : null} onValueChange={onValueChange} />
  }
  if (type === 'boolean') {
    return (
      <Select
        id={field.id}
        aria-describedby={field['aria-describedby']}
        value={value === false ? 'no' : 'yes'}
        onValueChange={(next) => onValueChange(next === 'yes')}
        options={(['yes', 'no'] as const).map((each) => ({ value: each, label: t(($) => $.tables[each]) }))}
      />
    )
  }
  return (
    <Input
      {...field}
      type={type === 'date' ? 'date' : 'text'}
      autoComplete="off"
      maxLength={FILTER_TEXT_MAX}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => onValueChange(event.target.value)}
    />
  )
}
