// Second step of sign-up: the organization.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { type OrganizationForm, organizationForm } from './auth-forms.ts'
import { useFormError } from './use-form-error.ts'

type OrganizationStepProps = {
  initial: OrganizationForm
  failure: string | null
  /** Receives what has been entered so far, good or not. */
  onBack: (entry: OrganizationForm) => void
  onDone: (entry: OrganizationForm) => Promise<void>
}

/** Only the name is required. */
export function OrganizationStep({ initial, failure, onBack, onDone }: OrganizationStepProps) {
  const { t } = useTranslation('auth')
  const errorText = useFormError()
  const form = useForm<OrganizationForm>({ resolver: zodResolver(organizationForm), defaultValues: initial })
  const { errors, isSubmitting } = form.formState
  return (
    <form onSubmit={form.handleSubmit(onDone)} noValidate className="flex flex-col gap-4">
      <Field
        label={t(($) => $.field.organizationName)}
        hint={errors.organizationName ? undefined : t(($) => $.field.organizationNameHint)}
        error={errorText(errors.organizationName)}
        isRequired
      >
        <Input autoFocus autoComplete="organization" {...form.register('organizationName')} />
      </Field>
      <Field
        label={t(($) => $.field.organizationDisplayName)}
        hint={t(($) => $.field.organizationDisplayNameHint)}
        error={errorText(errors.organizationDisplayName)}
        isOptional
      >
        <Input autoComplete="off" {...form.register('organizationDisplayName')} />
      </Field>
      <Field
        label={t(($) => $.field.organizationSupportEmail)}
        error={errorText(errors.organizationSupportEmail)}
        isOptional
      >
        <Input type="email" inputMode="email" autoComplete="off" {...form.register('organizationSupportEmail')} />
      </Field>
      {failure && <Alert tone="destructive">{failure}</Alert>}
      <div className="mt-1 flex gap-2">
        <Button size="lg" disabled={isSubmitting} onClick={() => onBack(form.getValues())}>
          {t(($) => $.signUp.back)}
        </Button>
        <Button type="submit" variant="primary" size="lg" isBusy={isSubmitting} className="flex-1">
          {t(($) => $.signUp.submit)}
        </Button>
      </div>
    </form>
  )
}
