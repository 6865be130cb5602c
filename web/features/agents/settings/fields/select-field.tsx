// One of a list, in the settings form.
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form'
import { Field } from '#web/components/ui/field.tsx'
import { Select, type SelectOption } from '#web/components/ui/select.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useFieldError } from './use-field-error.ts'

/** Stands for null in a list, whose values may not be empty. */
const NONE = 'none'

type SelectFieldProps = {
  name: FieldPathByValue<AgentForm, string | number | null>
  label: string
  hint?: string
  /** Options as the form holds them. */
  options: readonly (Omit<SelectOption, 'value'> & { value: string | number | null })[]
  className?: string
}

/** Values are those of the form: words, numbers or null. */
export function SelectField({ name, label, hint, options, className }: SelectFieldProps) {
  const { control } = useFormContext<AgentForm>()
  const error = useFieldError(name)
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <Field label={label} hint={hint} error={error} className={className ?? ''}>
          <Select
            ref={ref}
            value={String(value ?? NONE)}
            onValueChange={(chosen) => onChange(options.find((each) => String(each.value ?? NONE) === chosen)?.value)}
            onBlur={onBlur}
            options={options.map((option) => ({ ...option, value: String(option.value ?? NONE) }))}
          />
        </Field>
      )}
    />
  )
}
