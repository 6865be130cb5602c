// First step of sign-up: who signs up.
import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { type AccountForm, accountForm } from './auth-forms.ts'
import { NewPasswordFields } from './new-password-fields.tsx'
import { useFormError } from './use-form-error.ts'

type AccountStepProps = { initial: AccountForm; failure: string | null; onDone: (entry: AccountForm) => void }

/** Name, e-mail and the password twice. */
export function AccountStep({ initial, failure, onDone }: AccountStepProps) {
  const { t } = useTranslation('auth')
  const errorText = useFormError()
  const form = useForm<AccountForm>({ resolver: zodResolver(accountForm), defaultValues: initial })
  const { errors } = form.formState
  return (
    <FormProvider {...form}>
      <form onSubmit={form.handleSubmit(onDone)} noValidate className="flex flex-col gap-4">
        <Field label={t(($) => $.field.name)} error={errorText(errors.name)} isRequired>
          <Input autoComplete="name" {...form.register('name')} />
        </Field>
        <Field label={t(($) => $.field.email)} error={errorText(errors.email)} isRequired>
          <Input type="email" inputMode="email" autoComplete="username" {...form.register('email')} />
        </Field>
        <NewPasswordFields label={t(($) => $.field.password)} />
        {failure && <Alert tone="destructive">{failure}</Alert>}
        <Button type="submit" variant="primary" size="lg" className="mt-1">
          {t(($) => $.signUp.continue)}
        </Button>
      </form>
    </FormProvider>
  )
}
