// Changing the password.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { forgetFetched } from '#web/lib/server/query-client.ts'
import { changePassword } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { useIsCommonPassword } from '#web/lib/sign-in/use-common-password.ts'
import { toast } from '#web/lib/toast.ts'
import { passwordForm } from './account-forms.ts'
import { SESSIONS_KEY } from './sessions-section.tsx'

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' }
type ErrorKey = 'passwordRequired' | 'passwordTooShort' | 'passwordsDiffer'

/** The server ends all other sessions with the change. */
export function PasswordSection() {
  const { t } = useTranslation('settings')
  const user = useCurrentUser()
  const form = useForm({ resolver: zodResolver(passwordForm), defaultValues: EMPTY })
  const { errors, isSubmitting } = form.formState
  const isCommon = useIsCommonPassword(form.watch('newPassword'))
  const errorText = (error: { message?: string | undefined } | undefined) =>
    error?.message ? t(($) => $[error.message as ErrorKey]) : undefined

  const submit = form.handleSubmit(async ({ currentPassword, newPassword }) => {
    try {
      await changePassword({ currentPassword, newPassword })
      form.reset(EMPTY)
      forgetFetched(SESSIONS_KEY)
      toast.success(t(($) => $.passwordChanged))
    } catch (error) {
      form.setError('root', {
        message: describeAuthError(
          error,
          t(($) => $.failed),
        ),
      })
    }
  })
  return (
    <CardSection title={t(($) => $.password)} description={t(($) => $.passwordDescription)}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        {/* Tells password managers whose password changes. */}
        <input type="email" autoComplete="username" value={user.email} readOnly hidden />
        <Field label={t(($) => $.currentPassword)} error={errorText(errors.currentPassword)} isRequired>
          <PasswordInput autoComplete="current-password" {...form.register('currentPassword')} />
        </Field>
        <Field
          label={t(($) => $.newPassword)}
          hint={errors.newPassword ? undefined : t(($) => (isCommon ? $.passwordCommon : $.passwordHint))}
          error={errorText(errors.newPassword)}
          isRequired
        >
          <PasswordInput autoComplete="new-password" {...form.register('newPassword')} />
        </Field>
        <Field label={t(($) => $.confirmPassword)} error={errorText(errors.confirmPassword)} isRequired>
          <PasswordInput autoComplete="new-password" {...form.register('confirmPassword')} />
        </Field>
        {errors.root?.message && <Alert tone="destructive">{errors.root.message}</Alert>}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isBusy={isSubmitting}>
            {t(($) => $.changePassword)}
          </Button>
        </div>
      </form>
    </CardSection>
  )
}
