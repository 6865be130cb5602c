// /reset: sets a new password by the link of a letter. Its token is out of the address before anything is shown.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { FormProvider, useForm } from 'react-hook-form'
import { Link, useNavigate } from 'react-router'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { HttpError } from '#web/lib/errors.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { resetPassword } from '#web/lib/sign-in/auth.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { useSession } from '#web/lib/sign-in/session.tsx'
import { toast } from '#web/lib/toast.ts'
import { type ResetForm, resetForm } from './auth-forms.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { NoticePage } from './notice-page.tsx'
import { useAddressToken } from './use-address-token.ts'

/** The form, or the way to another link. */
export function ResetPage() {
  const { t } = useTranslation('auth')
  const token = useAddressToken()
  const [isBad, setIsBad] = useState(false)
  return (
    <NoticePage title={t(($) => $.reset.title)} subtitle={t(($) => $.reset.subtitle)}>
      {token === null || isBad ? <BadLink /> : <PasswordForm token={token} onBadLink={() => setIsBad(true)} />}
    </NoticePage>
  )
}

function BadLink() {
  const { t } = useTranslation('auth')
  return (
    <Alert tone="destructive">
      <p className="font-medium">{t(($) => $.reset.badTitle)}</p>
      <p>{t(($) => $.reset.bad)}</p>
      <Link to={paths.forgot} className="font-medium text-primary hover:underline">
        {t(($) => $.reset.again)}
      </Link>
    </Alert>
  )
}

function PasswordForm({ token, onBadLink }: { token: string; onBadLink: () => void }) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const session = useSession()
  const empty = { password: '', confirmPassword: '' }
  const form = useForm<ResetForm>({ resolver: zodResolver(resetForm), defaultValues: empty })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ password }) => {
    try {
      await resetPassword({ token, newPassword: password })
    } catch (error) {
      if (error instanceof HttpError && error.code === 'INVALID_TOKEN') return onBadLink()
      const fallback = t(($) => $.reset.failed)
      return form.setError('root', { message: describeAuthError(error, fallback) })
    }
    // One of this browser has ended with the others.
    if (session.status === 'signedIn') await session.end().catch(() => undefined)
    toast.success(t(($) => $.reset.done))
    await navigate(paths.signIn, { replace: true })
  })
  return (
    <FormProvider {...form}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <NewPasswordFields label={t(($) => $.reset.newPassword)} />
        {errors.root?.message && <Alert tone="destructive">{errors.root.message}</Alert>}
        <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting} className="mt-1">
          {t(($) => $.reset.submit)}
        </Button>
      </form>
    </FormProvider>
  )
}
