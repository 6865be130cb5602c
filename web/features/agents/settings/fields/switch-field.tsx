// A yes or no of the settings form.
import { type ReactNode, useId } from 'react'
import { Controller, type FieldPathByValue, useFormContext } from 'react-hook-form'
import { Switch } from '#web/components/ui/switch.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'

type SwitchFieldProps = {
  name: FieldPathByValue<AgentForm, boolean>
  label: string
  hint?: ReactNode
}

/** Label and hint before, the switch at the end of the line. Unlike elsewhere it acts when the form is saved. */
export function SwitchField({ name, label, hint }: SwitchFieldProps) {
  const id = useId()
  const { control } = useFormContext<AgentForm>()
  return (
    <Controller
      name={name}
      control={control}
      render={({ field: { value, onChange, onBlur, ref } }) => (
        <SwitchRow id={id} label={label} hint={hint}>
          <Switch
            id={id}
            ref={ref}
            checked={value}
            onCheckedChange={onChange}
            onBlur={onBlur}
            aria-describedby={hint ? `${id}-hint` : undefined}
          />
        </SwitchRow>
      )}
    />
  )
}

type SwitchRowProps = { id: string; label: string; hint?: ReactNode; children: ReactNode }

/** The line alone, for a switch whose value is not a boolean of the form. The switch carries `id`, the hint `<id>-hint`. */
export function SwitchRow({ id, label, hint, children }: SwitchRowProps) {
  return (
    <div className="flex items-start justify-between gap-6">
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint && (
          <p id={`${id}-hint`} className="max-w-prose text-[0.8125rem] text-muted-foreground leading-5">
            {hint}
          </p>
        )}
      </div>
      <div className="flex h-6 items-center">{children}</div>
    </div>
  )
}
