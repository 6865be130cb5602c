// A new password, entered twice, in the form around it.
import { useFormContext } from 'react-hook-form'
import { Field } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useIsCommonPassword } from '#web/lib/sign-in/use-common-password.ts'
import type { ResetForm } from './auth-forms.ts'
import { useFormError } from './use-form-error.ts'

/** Fields of the form in whose `FormProvider` they stand; says at once when a password is a common one. */
export function NewPasswordFields({ label }: { label: string }) {
  const { t } = useTranslation('auth')
  const errorText = useFormError()
  const { register, watch, formState } = useFormContext<ResetForm>()
  const { errors } = formState
  const isCommon = useIsCommonPassword(watch('password'))
  return (
    <>
      <Field
        label={label}
        hint={errors.password ? undefined : t(($) => (isCommon ? $.field.passwordCommon : $.field.passwordHint))}
        error={errorText(errors.password)}
        isRequired
      >
        <PasswordInput autoComplete="new-password" {...register('password')} />
      </Field>
      <Field label={t(($) => $.field.confirmPassword)} error={errorText(errors.confirmPassword)} isRequired>
        <PasswordInput autoComplete="new-password" {...register('confirmPassword')} />
      </Field>
    </>
  )
}
