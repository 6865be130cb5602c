// What the organization demands of its members: two-step sign-in, and the end of sessions that are not used.
import { useId } from 'react'
import { SIGN_OUT_CHOICES } from '#shared/organizations/security.ts'
import { api } from '#web/api.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Select } from '#web/components/ui/select.tsx'
import { Switch } from '#web/components/ui/switch.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'

const NEVER = 'never'

/** Every choice takes effect at once, for all members. */
export function DemandsSection() {
  const { t } = useTranslation('security')
  const { requiresTwoStep, signOutAfterMinutes } = useOrganization()
  const update = useMutation(api.organizations.updateSecurity)
  const id = useId()
  const save = (patch: { requiresTwoStep?: boolean; signOutAfterMinutes?: number | null }) =>
    void update({ patch }).then(
      () => toast.success(t(($) => $.demands.saved)),
      () => undefined, // reported in a toast
    )
  const chosen = signOutAfterMinutes === null ? NEVER : String(signOutAfterMinutes)
  const isListed = SIGN_OUT_CHOICES.some((minutes) => minutes === signOutAfterMinutes)
  const minutes = [...SIGN_OUT_CHOICES, ...(signOutAfterMinutes !== null && !isListed ? [signOutAfterMinutes] : [])]
  return (
    <CardSection title={t(($) => $.demands.title)} description={t(($) => $.demands.description)}>
      <div className="flex flex-col gap-4">
        <div className="flex items-start justify-between gap-6">
          <div className="min-w-0">
            <label htmlFor={`${id}-two-step`} className="font-medium">
              {t(($) => $.demands.twoStep)}
            </label>
            <p id={`${id}-hint`} className="max-w-md text-[0.8125rem] text-muted-foreground">
              {t(($) => $.demands.twoStepHint)}
            </p>
          </div>
          <Switch
            id={`${id}-two-step`}
            aria-describedby={`${id}-hint`}
            checked={requiresTwoStep}
            onCheckedChange={(isOn) => save({ requiresTwoStep: isOn })}
          />
        </div>
        <div className="flex flex-col justify-between gap-x-6 gap-y-1.5 sm:flex-row sm:items-center">
          <label htmlFor={`${id}-sign-out`} className="font-medium">
            {t(($) => $.demands.signOut)}
          </label>
          <Select
            id={`${id}-sign-out`}
            className="sm:w-56"
            value={chosen}
            onValueChange={(next) => save({ signOutAfterMinutes: next === NEVER ? null : Number(next) })}
            options={[
              { value: NEVER, label: t(($) => $.demands.never) },
              ...minutes.map((count) => ({ value: String(count), label: durationLabel(t, count) })),
            ]}
          />
        </div>
      </div>
    </CardSection>
  )
}

type Translate = ReturnType<typeof useTranslation<'security'>>['t']

function durationLabel(t: Translate, minutes: number): string {
  if (minutes % 1440 === 0) return t(($) => $.demands.days, { count: minutes / 1440 })
  if (minutes % 60 === 0) return t(($) => $.demands.hours, { count: minutes / 60 })
  return t(($) => $.demands.minutes, { count: minutes })
}
