// What people tell of themselves besides their name.
import type { UseFormReturn } from 'react-hook-form'
import { BIO_MAX, type ProfileSettings } from '#shared/organizations/organizations.ts'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { PictureField } from '../picture-field.tsx'
import { TimeZoneField } from '../time-zone-field.tsx'

/** Part of the form of the profile. */
export function ProfileFields({ form }: { form: UseFormReturn<ProfileSettings> }) {
  const { t } = useTranslation('settings')
  const { register, watch, formState } = form
  const { errors } = formState
  return (
    <>
      <Field label={t(($) => $.profile.jobTitle)} error={errors.jobTitle && t(($) => $.profile.tooLong)} isOptional>
        <Input autoComplete="organization-title" {...register('jobTitle')} />
      </Field>
      <Field
        label={t(($) => $.profile.bio)}
        error={errors.bio && t(($) => $.profile.tooLong)}
        counter={{ used: watch('bio').length, max: BIO_MAX }}
        isOptional
      >
        <Textarea rows={3} {...register('bio')} />
      </Field>
      <TimeZoneField
        label={t(($) => $.profile.timeZone)}
        hint={t(($) => $.profile.timeZoneHint)}
        error={errors.timeZone && t(($) => $.organization.timeZoneError)}
        input={register('timeZone')}
      />
      <PictureField
        of="person"
        name={watch('name')}
        label={t(($) => $.profile.avatar)}
        value={watch('avatarUrl')}
        error={errors.avatarUrl && t(($) => $.organization.logoError)}
        onChange={(url) => form.setValue('avatarUrl', url, { shouldDirty: true })}
        onTaken={(path) => form.resetField('avatarUrl', { defaultValue: path })}
      />
    </>
  )
}
