// Days with other hours than their weekday: closed, or open from one hour until another.
import { Plus, X } from 'lucide-react'
import { type AvailabilityException, calendarAvailability, EXCEPTIONS_MAX } from '#shared/integrations/calendar.ts'
import { Button } from '#web/components/ui/button.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const WORKDAY = { from: 9, to: 18 }
const FROM = Array.from({ length: 24 }, (_, at) => at)
const TO = FROM.map((at) => at + 1)

type ExceptionsFieldProps = {
  value: AvailabilityException[]
  onChange: (exceptions: AvailabilityException[]) => void
}

/** In the order in which they were added. */
export function ExceptionsField({ value, onChange }: ExceptionsFieldProps) {
  const { t } = useTranslation('integrations')
  const isRight = calendarAvailability.shape.exceptions.safeParse(value).success
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-medium">{t(($) => $.calendar.availability.exceptions)}</legend>
      <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.calendar.availability.exceptionsHint)}</p>
      {value.length === 0 && <p className="text-muted-foreground">{t(($) => $.calendar.availability.noExceptions)}</p>}
      {value.map((exception, at) => (
        <ExceptionRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a day has no identity until it is typed
          key={at}
          number={at + 1}
          exception={exception}
          onChange={(change) => onChange(value.map((each, index) => (index === at ? { ...each, ...change } : each)))}
          onRemove={() => onChange(value.filter((_, index) => index !== at))}
        />
      ))}
      {!isRight && (
        <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
          {t(($) => $.calendar.availability.wrongDays)}
        </p>
      )}
      {value.length < EXCEPTIONS_MAX && (
        <Button size="sm" className="self-start" onClick={() => onChange([...value, { day: '', hours: null }])}>
          <Plus aria-hidden="true" />
          {t(($) => $.calendar.availability.add)}
        </Button>
      )}
    </fieldset>
  )
}

type ExceptionRowProps = {
  number: number
  exception: AvailabilityException
  onChange: (change: Partial<AvailabilityException>) => void
  onRemove: () => void
}

function ExceptionRow({ number, exception: { day, hours }, onChange, onRemove }: ExceptionRowProps) {
  const { t } = useTranslation('integrations')
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Input
        type="date"
        className="w-36"
        aria-label={t(($) => $.calendar.availability.day, { number })}
        value={day}
        onChange={(event) => onChange({ day: event.target.value })}
      />
      <Switch
        aria-label={t(($) => $.calendar.availability.open, { number })}
        checked={hours !== null}
        onCheckedChange={(isOpen) => onChange({ hours: isOpen ? WORKDAY : null })}
      />
      <span aria-hidden="true" className="w-16 text-muted-foreground">
        {t(($) => $.calendar.availability[hours ? 'openLabel' : 'closed'])}
      </span>
      {hours && (
        <>
          <Select
            className="w-24"
            aria-label={t(($) => $.calendar.availability.from, { number })}
            value={String(hours.from)}
            onValueChange={(from) => onChange({ hours: { ...hours, from: Number(from) } })}
            options={FROM.map((hour) => ({ value: String(hour), label: `${hour}:00` }))}
          />
          <Select
            className="w-24"
            aria-label={t(($) => $.calendar.availability.to, { number })}
            value={String(hours.to)}
            onValueChange={(to) => onChange({ hours: { ...hours, to: Number(to) } })}
            options={TO.map((hour) => ({ value: String(hour), label: `${hour}:00` }))}
          />
        </>
      )}
      <Button
        variant="ghost"
        size="sm"
        aria-label={t(($) => $.calendar.availability.remove, { number })}
        onClick={onRemove}
      >
        <X aria-hidden="true" />
      </Button>
    </div>
  )
}
