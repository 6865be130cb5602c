// For who has no account: one step makes it, with the invited address, and joins.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { Link } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { describeError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths, signInPath } from '#web/lib/paths.ts'
import { signUp } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { type AccountForm, accountForm } from '../auth-forms.ts'
import { GoogleButton } from '../google-button.tsx'
import { NewPasswordFields } from '../new-password-fields.tsx'
import { useFormError } from '../use-form-error.ts'
import { useJoining } from './use-joining.ts'

/** Name and password; the address is the one that was invited. */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const { t } = useTranslation('auth')
  const errorText = useFormError()
  const [failure, setFailure] = useState<string | null>(null)
  const form = useForm<AccountForm>({
    resolver: zodResolver(accountForm),
    defaultValues: { name: '', email, password: '', confirmPassword: '' },
  })
  const { errors, isSubmitting } = form.formState
  const join = useRegistering(token, setFailure)
  return (
    <>
      <p className="mb-5">{t(($) => $.invite.noAccount)}</p>
      <GoogleButton returnTo={paths.invite} onError={setFailure} />
      <FormProvider {...form}>
        <form onSubmit={form.handleSubmit(join)} noValidate className="flex flex-col gap-4">
          <Field label={t(($) => $.field.email)} hint={t(($) => $.invite.emailHint)}>
            <Input type="email" autoComplete="username" readOnly {...form.register('email')} />
          </Field>
          <Field label={t(($) => $.field.name)} error={errorText(errors.name)} isRequired>
            <Input autoComplete="name" {...form.register('name')} />
          </Field>
          <NewPasswordFields label={t(($) => $.field.password)} />
          {failure && (
            <Alert tone="destructive">
              {failure}{' '}
              <Link to={signInPath(paths.invite)} className="font-medium underline">
                {t(($) => $.invite.signIn)}
              </Link>
            </Alert>
          )}
          <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting} className="mt-1">
            {t(($) => $.invite.create)}
          </Button>
        </form>
      </FormProvider>
    </>
  )
}

/** Account, session, membership. A failure after the account leaves the person signed in: the page then offers to accept. */
function useRegistering(token: string, onFailure: (message: string | null) => void) {
  const { t } = useTranslation('auth')
  const session = useSession()
  const join = useJoining(token)
  return async (account: AccountForm): Promise<void> => {
    onFailure(null)
    try {
      if ((await signUp(account)) === 'unconfirmed') return onFailure(t(($) => $.invite.unconfirmed))
    } catch (error) {
      return onFailure(
        describeAuthError(
          error,
          t(($) => $.signUp.failed),
        ),
      )
    }
    if (!(await session.begin().catch(() => false))) return onFailure(t(($) => $.invite.unconfirmed))
    await join().catch((error: unknown) => onFailure(describeError(error).message))
  }
}
