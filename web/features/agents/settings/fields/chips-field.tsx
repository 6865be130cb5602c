// A list of phrases of the settings form.
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form'
import { PHRASE_MAX, PHRASES_MAX } from '#shared/limits.ts'
import { ChipInput } from '#web/components/ui/chip-input.tsx'
import { Field } from '#web/components/ui/field.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useFieldError } from './use-field-error.ts'

type ChipsFieldProps = {
  name: FieldPathByValue<AgentForm, string[]>
  label: string
  hint?: string
  placeholder?: string
}

/** Phrases as chips. */
export function ChipsField({ name, label, hint, placeholder }: ChipsFieldProps) {
  const { control } = useFormContext<AgentForm>()
  const error = useFieldError(name)
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, onBlur } }) => (
        <Field label={label} hint={hint} error={error}>
          <ChipInput
            value={value}
            onValueChange={onChange}
            onBlur={onBlur}
            max={PHRASES_MAX}
            maxLength={PHRASE_MAX}
            placeholder={placeholder}
          />
        </Field>
      )}
    />
  )
}
