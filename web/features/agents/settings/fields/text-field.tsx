// A text area of the settings form: a message to customers, or any other text.
import { type FieldPathByValue, useFormContext, useWatch } from 'react-hook-form'
import { NOTICE_MAX } from '#shared/limits.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { useFieldError } from './use-field-error.ts'

type TextFieldProps = {
  name: FieldPathByValue<AgentForm, string>
  label: string
  hint?: string
  placeholder?: string
  /** Characters. */
  max?: number
}

/** A multi-line text with its counter. */
export function TextField({ name, label, hint, placeholder, max = NOTICE_MAX }: TextFieldProps) {
  const { control, register } = useFormContext<AgentForm>()
  const error = useFieldError(name)
  const text = useWatch({ control, name })
  return (
    <Field label={label} hint={hint} error={error} counter={{ used: text.length, max }}>
      <Textarea className="max-h-60 min-h-16" placeholder={placeholder} {...register(name)} />
    </Field>
  )
}
