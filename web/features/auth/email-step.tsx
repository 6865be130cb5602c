// Asks for an address and has a letter sent to it; says the same whatever the address is.
import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { describeAuthError } from '#web/lib/sign-in/auth-errors.ts'
import { type EmailForm, emailForm } from './auth-forms.ts'
import { useFormError } from './use-form-error.ts'

type EmailStepProps = {
  send: (email: string) => Promise<void>
  submitLabel: string
  /** Shown once it was sent. */
  sentText: (email: string) => string
  failedText: string
}

/** The form, then what was done. */
export function EmailStep({ send, submitLabel, sentText, failedText }: EmailStepProps) {
  const { t } = useTranslation('auth')
  const errorText = useFormError()
  const [sentTo, setSentTo] = useState<string | null>(null)
  const form = useForm<EmailForm>({ resolver: zodResolver(emailForm), defaultValues: { email: '' } })
  const { errors, isSubmitting } = form.formState
  const submit = form.handleSubmit(async ({ email }) => {
    try {
      await send(email)
      setSentTo(email)
    } catch (error) {
      form.setError('root', { message: describeAuthError(error, failedText) })
    }
  })
  if (sentTo !== null) {
    return (
      <div className="flex flex-col gap-4">
        <Alert>{sentText(sentTo)}</Alert>
        <Button onClick={() => setSentTo(null)}>{t(($) => $.forgot.again)}</Button>
      </div>
    )
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Field label={t(($) => $.field.email)} error={errorText(errors.email)} isRequired>
        <Input type="email" inputMode="email" autoComplete="username" {...form.register('email')} />
      </Field>
      {errors.root?.message && <Alert tone="destructive">{errors.root.message}</Alert>}
      <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting} className="mt-1">
        {submitLabel}
      </Button>
    </form>
  )
}
