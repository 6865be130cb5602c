// /signin: e-mail and password, Google or a passkey, and the second step.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Link, Navigate, useNavigate, useSearchParams } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { PasswordInput } from '#web/components/ui/password-input.tsx'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths, safeReturnPath } from '#web/lib/paths.ts'
import { spendSecret } from '#web/lib/sign-in/address-secrets.ts'
import { SecondStepNeeded, signIn } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { type SignInForm, signInForm } from './auth-forms.ts'
import { AuthLayout } from './auth-layout.tsx'
import { EndReasonAlert } from './end-reason-alert.tsx'
import { useFirstAccount } from './first-account.ts'
import { GoogleButton } from './google-button.tsx'
import { PasskeyButton } from './passkey-button.tsx'
import { SecondStepPage } from './second-step-page.tsx'
import { useFormError } from './use-form-error.ts'

/** How the server names in the address why it has refused a sign-up through Google. */
const REFUSALS = [
  ['Sign-up_is_closed', 'SIGN_UP_CLOSED'],
  ['Sign-up_is_for_those', 'SIGN_UP_INVITED_ONLY'],
  ['Sign-up_is_for_addresses', 'SIGN_UP_DOMAIN'],
] as const

/** Returns to where the visitor wanted to go, with its query. */
export function SignInPage() {
  const { t } = useTranslation('auth')
  const [search] = useSearchParams()
  const returnTo = safeReturnPath(search.get('from'))
  const refusal = search.get('error')
  const { isFirst } = useFirstAccount()
  const session = useSession()
  const [challenge, setChallenge] = useState(() => spendSecret('challenge'))
  const [failure, setFailure] = useState(() => {
    if (refusal === null) return null
    const code = REFUSALS.find(([beginning]) => refusal.startsWith(beginning))?.[1] ?? null
    return describeAuthError(
      new HttpError(403, refusal, code),
      t(($) => $.signIn.socialFailed),
    )
  })
  const signUpLink = {
    pathname: paths.signUp,
    search: search.has('from') ? `?${new URLSearchParams({ from: returnTo })}` : '',
  }
  // There is no account to sign in to yet.
  if (isFirst && refusal === null) return <Navigate to={signUpLink} replace />
  if (challenge !== null)
    return <SecondStepPage challenge={challenge} returnTo={returnTo} onBack={() => setChallenge(null)} />
  return (
    <AuthLayout
      page="signIn"
      title={t(($) => $.signIn.title)}
      subtitle={t(($) => $.signIn.subtitle)}
      footer={
        <>
          {t(($) => $.signIn.noAccount)}{' '}
          <Link to={signUpLink} className="font-medium text-primary hover:underline">
            {t(($) => $.signIn.toSignUp)}
          </Link>
        </>
      }
    >
      <EndReasonAlert session={session} />
      <GoogleButton returnTo={returnTo} onError={setFailure} />
      <PasswordForm returnTo={returnTo} failure={failure} onFailure={setFailure} onChallenge={setChallenge} />
      <PasskeyButton returnTo={returnTo} onError={setFailure} />
    </AuthLayout>
  )
}

type PasswordFormProps = {
  returnTo: string
  failure: string | null
  onFailure: (message: string | null) => void
  onChallenge: (challenge: string) => void
}

function PasswordForm({ returnTo, failure, onFailure, onChallenge }: PasswordFormProps) {
  const { t } = useTranslation('auth')
  const session = useSession()
  const navigate = useNavigate()
  const errorText = useFormError()
  const form = useForm<SignInForm>({ resolver: zodResolver(signInForm), defaultValues: { email: '', password: '' } })
  const { errors, isSubmitting } = form.formState

  const submit = form.handleSubmit(async (entry) => {
    onFailure(null)
    try {
      await signIn(entry)
      await session.begin()
      await navigate(returnTo, { replace: true })
    } catch (error) {
      if (error instanceof SecondStepNeeded) return onChallenge(error.challenge)
      onFailure(
        describeAuthError(
          error,
          t(($) => $.signIn.failed),
        ),
      )
    }
  })
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label={t(($) => $.field.email)} error={errorText(errors.email)} isRequired>
        <Input type="email" autoComplete="username" inputMode="email" {...form.register('email')} />
      </Field>
      <Field label={t(($) => $.field.password)} error={errorText(errors.password)} isRequired>
        <PasswordInput autoComplete="current-password" {...form.register('password')} />
      </Field>
      <Link to={paths.forgot} className="-mt-1 self-start text-primary hover:underline">
        {t(($) => $.signIn.forgot)}
      </Link>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting} className="mt-1">
        {t(($) => $.signIn.submit)}
      </Button>
    </form>
  )
}
