// What happens when the month's messages or money are used up.
import { Controller, useFormContext } from 'react-hook-form'
import { NOTICE_MAX } from '#shared/limits.ts'
import { AT_LIMIT, type OrganizationSettings } from '#shared/organizations/organizations.ts'
import { SpendMeter } from '#web/components/spend-meter.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { NumberInput } from '#web/components/ui/number-input.tsx'
import { RadioGroup } from '#web/components/ui/radio-group.tsx'
import { Textarea } from '#web/components/ui/textarea.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMonthSpend } from '#web/lib/use-month-spend.ts'

/** Part of the form of the organization. */
export function LimitsSection() {
  const { t } = useTranslation('settings')
  const { control, register, watch, formState } = useFormContext<OrganizationSettings>()
  const { errors } = formState
  return (
    <CardSection title={t(($) => $.limits.title)} description={t(($) => $.limits.description)}>
      <div className="flex flex-col gap-4">
        <Controller
          control={control}
          name="atLimit"
          render={({ field }) => (
            <RadioGroup
              label={t(($) => $.limits.atLimit)}
              value={field.value}
              onValueChange={field.onChange}
              options={AT_LIMIT.map((value) => ({
                value,
                label: t(($) => $.limits.choice[value]),
                hint: t(($) => $.limits.choiceHint[value]),
              }))}
            />
          )}
        />
        <Field
          label={t(($) => $.limits.text)}
          hint={t(($) => $.limits.textHint)}
          error={errors.limitText && t(($) => $.limits.textError)}
          counter={{ used: watch('limitText').length, max: NOTICE_MAX }}
          isOptional
        >
          <Textarea className="max-h-60" {...register('limitText')} />
        </Field>
        <Controller
          control={control}
          name="monthlySpendLimitUsd"
          render={({ field: { onChange, ...field } }) => (
            <Field
              label={t(($) => $.limits.spending)}
              hint={t(($) => $.limits.spendingHint)}
              error={errors.monthlySpendLimitUsd && t(($) => $.limits.spendingError)}
              isOptional
            >
              <NumberInput unit="$" className="sm:w-56" {...field} onValueChange={onChange} />
            </Field>
          )}
        />
        <OrganizationSpend />
      </div>
    </CardSection>
  )
}

/** Compared with the saved ceiling, whatever is typed in the field. */
function OrganizationSpend() {
  const spend = useMonthSpend()
  return spend ? <SpendMeter spend={spend.total} limitUsd={spend.limitUsd} className="max-w-md" /> : null
}
