// When customers are reminded of their visits in the channel in which they have booked. Google's own reminders go to who owns the calendar.
import type { Id } from '#shared/ids.ts'
import {
  CUSTOMER_REMINDER_MINUTES,
  CUSTOMER_REMINDERS_MAX,
  type CustomerReminders,
} from '#shared/integrations/calendar.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { SetupForm, useDraft } from './setup-form.tsx'

/** Any of the moments, up to as many as are sent; none is a choice too. */
export function RemindersTab({ agentId, saved }: { agentId: Id<'agents'>; saved: CustomerReminders }) {
  const { t } = useTranslation('integrations')
  const save = useMutation(api.integrations.calendar.saveCustomerReminders)
  const { value, isDirty, set, discard } = useDraft({ chosen: saved })
  const { chosen } = value
  const turn = (minutes: CustomerReminders[number], isOn: boolean) =>
    set({ chosen: CUSTOMER_REMINDER_MINUTES.filter((each) => (each === minutes ? isOn : chosen.includes(each))) })
  return (
    <CardSection title={t(($) => $.calendar.customers.title)} description={t(($) => $.calendar.customers.description)}>
      <SetupForm
        isDirty={isDirty}
        isRight
        onDiscard={discard}
        onSave={() => save({ agentId, customerReminders: chosen })}
      >
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-2 font-medium">
            {t(($) => $.calendar.customers.before, { max: CUSTOMER_REMINDERS_MAX })}
          </legend>
          {CUSTOMER_REMINDER_MINUTES.map((minutes) => {
            const isChosen = chosen.includes(minutes)
            return (
              <label key={minutes} className="flex items-center gap-2">
                <input
                  type="checkbox"
                  className="size-4 accent-primary"
                  checked={isChosen}
                  disabled={!isChosen && chosen.length >= CUSTOMER_REMINDERS_MAX}
                  onChange={(event) => turn(minutes, event.target.checked)}
                />
                {minutes % 60 === 0
                  ? t(($) => $.calendar.customers.hours, { hours: minutes / 60 })
                  : t(($) => $.calendar.customers.minutes, { minutes })}
              </label>
            )
          })}
          {chosen.length === 0 && <p className="text-muted-foreground">{t(($) => $.calendar.customers.none)}</p>}
        </fieldset>
      </SetupForm>
    </CardSection>
  )
}
