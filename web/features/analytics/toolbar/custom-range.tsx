// The form of a range of one's own: two days of the organization's calendar.
import { type FormEvent, useState } from 'react'
import { ANALYTICS_RANGE_MAX_DAYS } from '#shared/analytics/analytics.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { dayIn } from '#web/lib/usage-range.ts'
import { dayCount, intervalFor, isDay, rangeProblem } from '../ranges.rules.ts'

type Days = { from: string; to: string }
type CustomRangeProps = { range: Days | null; onChoose: (range: Days) => void }

/** Says next to the fields why a range cannot be asked for. No day lies after today, as the organization's clock has it. */
export function CustomRange({ range, onChoose }: CustomRangeProps) {
  const { t } = useTranslation('analytics')
  const { t: tError } = useTranslation('errors')
  const { timeZone } = useOrganization()
  const today = dayIn(Date.now(), timeZone)
  const [days, setDays] = useState<Days>(range ?? { from: `${today.slice(0, 8)}01`, to: today })
  const [isTried, setTried] = useState(false)
  const problem = problemOf(days)
  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (!problem) onChoose(days)
  }
  return (
    <form noValidate onSubmit={submit} className="flex w-64 flex-col gap-4">
      <Field label={t(($) => $.toolbar.from)}>
        <Input
          type="date"
          max={today}
          value={days.from}
          onChange={(event) => setDays({ ...days, from: event.target.value })}
        />
      </Field>
      <Field
        label={t(($) => $.toolbar.to)}
        hint={t(($) => $.toolbar.zone, { timeZone })}
        error={isTried && problem ? tError(($) => $[problem], { days: ANALYTICS_RANGE_MAX_DAYS }) : undefined}
      >
        <Input
          type="date"
          max={today}
          value={days.to}
          onChange={(event) => setDays({ ...days, to: event.target.value })}
        />
      </Field>
      <Button type="submit" variant="primary" isForReading>
        {t(($) => $.toolbar.show)}
      </Button>
    </form>
  )
}

function problemOf(days: Days) {
  if (!isDay(days.from) || !isDay(days.to)) return 'invalid_range'
  return rangeProblem(days, intervalFor(dayCount(days)))
}
