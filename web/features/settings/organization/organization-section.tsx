// How the organization is called and reached, and the clock by which it lives.
import { useFormContext } from 'react-hook-form'
import { isTimeZone, type OrganizationSettings } from '#shared/organizations/organizations.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { PictureField } from '../picture-field.tsx'
import { TimeZoneField } from '../time-zone-field.tsx'

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
        <ZoneField />
      </div>
    </CardSection>
  )
}

/** A file is taken at once; an address is saved with the form. */
function LogoField() {
  const { t } = useTranslation('settings')
  const { watch, formState, setValue, resetField } = useFormContext<OrganizationSettings>()
  return (
    <PictureField
      of="organization"
      name={watch('name')}
      label={t(($) => $.organization.logo)}
      value={watch('logoUrl')}
      error={formState.errors.logoUrl && t(($) => $.organization.logoError)}
      onChange={(url) => setValue('logoUrl', url, { shouldDirty: true })}
      onTaken={(path) => resetField('logoUrl', { defaultValue: path })}
    />
  )
}

function ZoneField() {
  const { t } = useTranslation('settings')
  const { register, watch, formState } = useFormContext<OrganizationSettings>()
  const timeZone = watch('timeZone')
  const hint = isTimeZone(timeZone)
    ? t(($) => $.organization.timeZoneNow, { time: timeIn(timeZone) })
    : t(($) => $.organization.timeZoneHint)
  return (
    <TimeZoneField
      label={t(($) => $.organization.timeZone)}
      hint={hint}
      error={formState.errors.timeZone && t(($) => $.organization.timeZoneError)}
      isRequired
      input={register('timeZone')}
    />
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
