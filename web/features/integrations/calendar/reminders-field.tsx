// Reminders of an event: how, and how long before.
import { Plus, X } from 'lucide-react'
import { REMINDER_MAX_MINUTES, REMINDERS_MAX, type Reminder } from '#shared/integrations/calendar.ts'
import { Button } from '#web/components/ui/button.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const WAYS = ['popup', 'email'] as const

type RemindersFieldProps = { value: Reminder[]; onChange: (reminders: Reminder[]) => void }

/** Up to as many as Google keeps. */
export function RemindersField({ value, onChange }: RemindersFieldProps) {
  const { t } = useTranslation('integrations')
  const change = (at: number, change: Partial<Reminder>) =>
    onChange(value.map((each, index) => (index === at ? { ...each, ...change } : each)))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="font-medium">{t(($) => $.calendar.templates.reminders)}</legend>
      <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.calendar.templates.remindersHint)}</p>
      {value.length === 0 && <p className="text-muted-foreground">{t(($) => $.calendar.templates.noReminders)}</p>}
      {value.map((reminder, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reminders have no identity of their own
        <div key={at} className="flex items-center gap-2">
          <Select
            className="min-w-0 flex-1 sm:max-w-40"
            aria-label={t(($) => $.calendar.templates.way, { number: at + 1 })}
            value={reminder.way}
            onValueChange={(way) => change(at, { way: WAYS.find((each) => each === way) ?? 'popup' })}
            options={WAYS.map((way) => ({ value: way, label: t(($) => $.calendar.templates.ways[way]) }))}
          />
          <NumberInput
            className="w-28 shrink-0"
            unit={t(($) => $.calendar.templates.minutes)}
            aria-label={t(($) => $.calendar.templates.before, { number: at + 1 })}
            aria-invalid={!isRight(reminder.minutes) || undefined}
            value={reminder.minutes}
            onValueChange={(minutes) => change(at, { minutes: minutes ?? Number.NaN })}
          />
          <Button
            variant="ghost"
            size="sm"
            aria-label={t(($) => $.calendar.templates.remove, { number: at + 1 })}
            onClick={() => onChange(value.filter((_, index) => index !== at))}
          >
            <X aria-hidden="true" />
          </Button>
        </div>
      ))}
      {value.some(({ minutes }) => !isRight(minutes)) && (
        <p role="alert" className="text-[0.8125rem] text-destructive-soft-foreground">
          {t(($) => $.calendar.templates.beforeError, { max: REMINDER_MAX_MINUTES })}
        </p>
      )}
      {value.length < REMINDERS_MAX && (
        <Button size="sm" className="self-start" onClick={() => onChange([...value, { way: 'popup', minutes: 60 }])}>
          <Plus aria-hidden="true" />
          {t(($) => $.calendar.templates.add)}
        </Button>
      )}
    </fieldset>
  )
}

function isRight(minutes: number): boolean {
  return Number.isInteger(minutes) && minutes >= 0 && minutes <= REMINDER_MAX_MINUTES
}
