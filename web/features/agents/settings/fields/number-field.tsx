// A number of the settings form.
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useFieldError } from './use-field-error.ts'

type NumberFieldProps = {
  name: FieldPathByValue<AgentForm, number | null>
  label: string
  hint?: string
  unit?: string
  placeholder?: string
  className?: string
}

/** An empty field is null: give it a placeholder that says what that means where it is allowed. */
export function NumberField({ name, label, hint, unit, placeholder, className }: NumberFieldProps) {
  const { control } = useFormContext<AgentForm>()
  const error = useFieldError(name)
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <Field label={label} hint={hint} error={error} className={className ?? ''}>
          <NumberInput
            ref={ref}
            value={value}
            onValueChange={onChange}
            onBlur={onBlur}
            placeholder={placeholder}
            {...(unit !== undefined && { unit })}
          />
        </Field>
      )}
    />
  )
}
