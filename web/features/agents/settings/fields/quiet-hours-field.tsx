// Hours in which no reminder is sent.
import { useId } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { Field } from '#web/components/ui/field.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import type { AgentForm } from '../../agent-form.rules.ts'
import { SwitchRow } from './switch-field.tsx'

type QuietHours = NonNullable<AgentForm['followUps']['quietHours']>

/** What is proposed when quiet hours are switched on. */
const NIGHT: QuietHours = { from: 21, to: 9 }
const HOURS = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: `${hour}:00` }))

/** A switch and, while it is on, the two hours, in the organization's time zone. */
export function QuietHoursField() {
  const { t } = useTranslation('agents')
  const id = useId()
  const { timeZone } = useOrganization()
  const { control } = useFormContext<AgentForm>()
  return (
    <Controller
      name="followUps.quietHours"
      control={control}
      render={({ field: { value, onChange } }) => (
        <div className="flex flex-col gap-4">
          <SwitchRow id={id} label={t(($) => $.followUps.quiet)} hint={t(($) => $.followUps.quietHint, { timeZone })}>
            <Switch
              id={id}
              aria-describedby={`${id}-hint`}
              checked={value !== null}
              onCheckedChange={(isOn) => onChange(isOn ? NIGHT : null)}
            />
          </SwitchRow>
          {value && (
            <div className="grid max-w-sm grid-cols-2 gap-4">
              {(['from', 'to'] as const).map((edge) => (
                <Field key={edge} label={t(($) => $.followUps.edges[edge])}>
                  <Select
                    value={String(value[edge])}
                    onValueChange={(hour) => onChange({ ...value, [edge]: Number(hour) })}
                    options={HOURS}
                  />
                </Field>
              ))}
            </div>
          )}
        </div>
      )}
    />
  )
}
