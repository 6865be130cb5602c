// How the organization is called and reached, and the clock by which it lives.
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { isTimeZone, type OrganizationSettings } from '#shared/organizations/organizations.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { HostedPicture } from './hosted-picture.tsx'

/** Part of the form of the organization. */
export function OrganizationSection() {
  const { t } = useTranslation('settings')
  const { register, formState } = useFormContext<OrganizationSettings>()
  const { errors } = formState
  return (
    <CardSection title={t(($) => $.organization.title)} description={t(($) => $.organization.description)}>
      <div className="flex flex-col gap-4">
        <Field
          label={t(($) => $.organization.name)}
          error={errors.name && t(($) => $.organization.nameError)}
          isRequired
        >
          <Input autoComplete="organization" {...register('name')} />
        </Field>
        <Field
          label={t(($) => $.organization.displayName)}
          hint={t(($) => $.organization.displayNameHint)}
          error={errors.displayName && t(($) => $.organization.displayNameError)}
          isOptional
        >
          <Input autoComplete="off" {...register('displayName')} />
        </Field>
        <Field
          label={t(($) => $.organization.supportEmail)}
          error={errors.supportEmail && t(($) => $.organization.supportEmailError)}
          isOptional
        >
          <Input type="email" inputMode="email" autoComplete="off" {...register('supportEmail')} />
        </Field>
        <LogoField />
        <TimeZoneField />
      </div>
    </CardSection>
  )
}

/** The address of a picture; once it is kept here, it is shown. */
function LogoField() {
  const { t } = useTranslation('settings')
  const { register, watch, formState } = useFormContext<OrganizationSettings>()
  return (
    <div className="flex items-end gap-3">
      <Field
        label={t(($) => $.organization.logo)}
        hint={t(($) => $.organization.logoHint)}
        error={formState.errors.logoUrl && t(($) => $.organization.logoError)}
        isOptional
        className="min-w-0 flex-1"
      >
        <Input autoComplete="off" spellCheck={false} {...register('logoUrl')} />
      </Field>
      <HostedPicture url={watch('logoUrl')} />
    </div>
  )
}

/** Any zone of the world by its name; the browser proposes those that match what is typed. */
function TimeZoneField() {
  const { t } = useTranslation('settings')
  const { register, watch, formState } = useFormContext<OrganizationSettings>()
  const listId = useId()
  const timeZone = watch('timeZone')
  const hint = isTimeZone(timeZone)
    ? t(($) => $.organization.timeZoneNow, { time: timeIn(timeZone) })
    : t(($) => $.organization.timeZoneHint)
  return (
    <>
      <Field
        label={t(($) => $.organization.timeZone)}
        hint={hint}
        error={formState.errors.timeZone && t(($) => $.organization.timeZoneError)}
        isRequired
      >
        <Input list={listId} autoComplete="off" spellCheck={false} {...register('timeZone')} />
      </Field>
      <datalist id={listId}>
        {['UTC', ...Intl.supportedValuesOf('timeZone')].map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  )
}

function timeIn(timeZone: string): string {
  const clock = new Intl.DateTimeFormat(currentLanguage(), {
    timeZone,
    weekday: 'long',
    hour: '2-digit',
    minute: '2-digit',
  })
  return clock.format(Date.now())
}
