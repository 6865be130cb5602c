// When customers can be booked: hours of the week with exceptions, and the rules that the server holds every booking against.
import { useId } from 'react'
import type { Id } from '#shared/ids.ts'
import {
  BUFFER_MAX_MINUTES,
  type CalendarAvailability,
  calendarAvailability,
  DURATION_MAX_MINUTES,
  DURATION_MIN_MINUTES,
  GRID_MINUTES,
  HORIZON_MAX_DAYS,
  LEAD_MAX_HOURS,
} from '#shared/integrations/calendar.ts'
import { api } from '#web/api.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { isNever } from '#web/components/week/hours.rules.ts'
import { WeekGrid } from '#web/components/week/week-grid.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { ExceptionsField } from './exceptions-field.tsx'
import { SetupForm, useDraft } from './setup-form.tsx'

/** The numbers, each with its name in the words, its unit and its limits. */
const NUMBERS = [
  {
    key: 'durationMinutes',
    words: 'duration',
    hint: 'durationHint',
    unit: 'minutes',
    min: DURATION_MIN_MINUTES,
    max: DURATION_MAX_MINUTES,
  },
  { key: 'bufferMinutes', words: 'buffer', hint: 'bufferHint', unit: 'minutes', min: 0, max: BUFFER_MAX_MINUTES },
  { key: 'leadHours', words: 'lead', hint: 'leadHint', unit: 'hoursUnit', min: 0, max: LEAD_MAX_HOURS },
  { key: 'horizonDays', words: 'horizon', hint: 'horizonHint', unit: 'days', min: 1, max: HORIZON_MAX_DAYS },
] as const

/** Saved as a whole. */
export function AvailabilityTab({ agentId, saved }: { agentId: Id<'agents'>; saved: CalendarAvailability }) {
  const { t } = useTranslation('integrations')
  const save = useMutation(api.integrations.calendar.saveAvailability)
  const { value, isDirty, set, discard } = useDraft(saved)
  return (
    <CardSection
      title={t(($) => $.calendar.availability.title)}
      description={t(($) => $.calendar.availability.description)}
    >
      <SetupForm
        isDirty={isDirty}
        isRight={calendarAvailability.safeParse(value).success}
        onDiscard={discard}
        onSave={() => save({ agentId, availability: value })}
      >
        <HoursField value={value.hours} onChange={(hours) => set({ hours })} />
        <ExceptionsField value={value.exceptions} onChange={(exceptions) => set({ exceptions })} />
        <div className="grid gap-4 sm:grid-cols-2">
          {NUMBERS.map(({ key, words, hint, unit, min, max }) => (
            <Field
              key={key}
              label={t(($) => $.calendar.availability[words])}
              hint={t(($) => $.calendar.availability[hint])}
              error={isWithin(value[key], min, max) ? undefined : t(($) => $.calendar.availability.range, { min, max })}
            >
              <NumberInput
                unit={t(($) => $.calendar.availability[unit])}
                value={value[key]}
                onValueChange={(number) => set({ ...value, [key]: number ?? Number.NaN })}
              />
            </Field>
          ))}
          <Field label={t(($) => $.calendar.availability.grid)}>
            <Select
              value={String(value.gridMinutes)}
              onValueChange={(grid) => set({ gridMinutes: GRID_MINUTES.find((each) => String(each) === grid) ?? 30 })}
              options={GRID_MINUTES.map((count) => ({
                value: String(count),
                label: t(($) => $.calendar.availability.gridValue, { count }),
              }))}
            />
          </Field>
        </div>
      </SetupForm>
    </CardSection>
  )
}

type HoursFieldProps = { value: number[][]; onChange: (hours: number[][]) => void }

function HoursField({ value, onChange }: HoursFieldProps) {
  const { t } = useTranslation('integrations')
  const { timeZone } = useOrganization()
  const id = useId()
  return (
    <div className="flex flex-col gap-2">
      <p className="font-medium">{t(($) => $.calendar.availability.hours)}</p>
      <WeekGrid label={t(($) => $.calendar.availability.hours)} describedBy={id} value={value} onChange={onChange} />
      <p id={id} className="text-[0.8125rem] text-muted-foreground">
        {t(($) => $.calendar.availability.hoursHint, { timeZone })}
      </p>
      {isNever(value) && <Alert tone="warning">{t(($) => $.calendar.availability.never)}</Alert>}
    </div>
  )
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isInteger(value) && value >= min && value <= max
}
