// The message to customers who wait for an operator while none is available.
import { Controller, useFormContext } from 'react-hook-form'
import { NOTICE_MAX, UNATTENDED_SECONDS_MAX, UNATTENDED_SECONDS_MIN } from '#shared/limits.ts'
import type { OrganizationSettings } from '#shared/organizations/organizations.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Part of the organization form. */
export function UnattendedSection() {
  const { t } = useTranslation('settings')
  const { control, register, watch, formState } = useFormContext<OrganizationSettings>()
  const { errors } = formState
  const range = { min: UNATTENDED_SECONDS_MIN, max: UNATTENDED_SECONDS_MAX }
  return (
    <CardSection title={t(($) => $.unattended.title)} description={t(($) => $.unattended.description)}>
      <div className="flex flex-col gap-4">
        <Controller
          control={control}
          name="unattendedAfterSeconds"
          render={({ field: { onChange, ...field } }) => (
            <Field
              label={t(($) => $.unattended.after)}
              hint={t(($) => $.unattended.afterHint)}
              error={errors.unattendedAfterSeconds && t(($) => $.unattended.afterError, range)}
              isOptional
            >
              <NumberInput unit={t(($) => $.unattended.unit)} className="sm:w-56" {...field} onValueChange={onChange} />
            </Field>
          )}
        />
        <Field
          label={t(($) => $.unattended.text)}
          hint={t(($) => $.unattended.textHint)}
          error={errors.unattendedText && t(($) => $.unattended.textError)}
          counter={{ used: watch('unattendedText').length, max: NOTICE_MAX }}
          isOptional
        >
          <Textarea className="max-h-60" {...register('unattendedText')} />
        </Field>
      </div>
    </CardSection>
  )
}
