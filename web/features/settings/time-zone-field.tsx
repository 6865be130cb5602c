// A field for the name of a time zone.
import { useId } from 'react'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'

type TimeZoneFieldProps = {
  label: string
  hint: string
  error: string | undefined
  isRequired?: boolean
  /** What the form registers. */
  input: React.ComponentProps<typeof Input>
}

/** Any zone of the world by its name; the browser proposes those that match what is typed. */
export function TimeZoneField({ label, hint, error, isRequired = false, input }: TimeZoneFieldProps) {
  const listId = useId()
  return (
    <>
      <Field label={label} hint={hint} error={error} isRequired={isRequired} isOptional={!isRequired}>
        <Input list={listId} autoComplete="off" spellCheck={false} {...input} />
      </Field>
      <datalist id={listId}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}
