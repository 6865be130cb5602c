// /settings/profile: the name others see, and how the interface looks and answers in this browser.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { changeName } from '#web/lib/auth.ts'
import { describeAuthError } from '#web/lib/auth-errors.ts'
import { useCurrentUser } from '#web/lib/current-user.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { toast } from '#web/lib/toast.ts'
import { profileForm } from './account-forms.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { SettingsLayout } from './settings-layout.tsx'

/** Two sections. */
export function ProfilePage() {
  return (
    <SettingsLayout tab="profile">
      <AccountSection />
      <AppearanceSection />
    </SettingsLayout>
  )
}

function AccountSection() {
  const { t } = useTranslation('settings')
  const user = useCurrentUser()
  const form = useForm({ resolver: zodResolver(profileForm), values: { name: user.name } })
  const { errors, isSubmitting, isDirty } = form.formState
  const submit = form.handleSubmit(async ({ name }) => {
    try {
      await changeName(name)
      toast.success(t(($) => $.nameSaved))
    } catch (error) {
      form.setError('root', {
        message: describeAuthError(
          error,
          t(($) => $.failed),
        ),
      })
    }
  })
  const nameError = errors.name && t(($) => $[errors.name?.message as 'nameRequired' | 'nameTooLong'])
  return (
    <CardSection title={t(($) => $.account)} description={t(($) => $.accountDescription)}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label={t(($) => $.name)} error={nameError} isRequired>
          <Input autoComplete="name" {...form.register('name')} />
        </Field>
        <Field label={t(($) => $.email)} hint={t(($) => $.emailHint)}>
          <Input type="email" value={user.email} readOnly className="bg-muted" />
        </Field>
        {errors.root?.message && <Alert tone="destructive">{errors.root.message}</Alert>}
        <div className="flex justify-end">
          <Button type="submit" variant="primary" isBusy={isSubmitting} disabled={!isDirty}>
            {t(($) => $.saveName)}
          </Button>
        </div>
      </form>
    </CardSection>
  )
}
