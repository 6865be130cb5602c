// /settings/profile: the name others see, and how the interface looks and answers in this browser.
import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type { CurrentUser, ProfileSettings } from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Field } from '#web/components/ui/field.tsx'
import { Input } from '#web/components/ui/input.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useCurrentUser } from '#web/lib/sign-in/current-user.tsx'
import { toast } from '#web/lib/toast.ts'
import { SettingsLayout } from '../settings-layout.tsx'
import { profileForm } from './account-forms.ts'
import { AppearanceSection } from './appearance-section.tsx'
import { ProfileFields } from './profile-fields.tsx'

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
  const update = useMutation(api.users.updateProfile)
  const form = useForm<ProfileSettings>({
    resolver: zodResolver(profileForm),
    values: { ...pick(user), avatarUrl: user.avatar ?? '' },
    resetOptions: { keepDirtyValues: true },
  })
  const discard = () => form.reset({ ...pick(user), avatarUrl: user.avatar ?? '' }, { keepDirtyValues: false })
  const { errors, isSubmitting, isDirty, dirtyFields } = form.formState
  const submit = form.handleSubmit(async (entry) => {
    const changed = Object.entries(entry).filter(([name]) => dirtyFields[name as keyof ProfileSettings])
    const saved = await update({ patch: Object.fromEntries(changed) }).catch(() => null)
    if (!saved) return // a toast has shown the error
    form.reset({ ...pick(saved), avatarUrl: saved.avatar ?? '' })
    toast.success(t(($) => $.profileSaved))
  })
  useShortcut('save', () => void submit(), { isEnabled: isDirty })
  const nameError = errors.name && t(($) => $[errors.name?.message as 'nameRequired' | 'nameTooLong'])
  return (
    <CardSection title={t(($) => $.account)} description={t(($) => $.accountDescription)}>
      <form onSubmit={submit} noValidate className="flex flex-col gap-4">
        <Field label={t(($) => $.name)} error={nameError} isRequired>
          <Input autoComplete="name" {...form.register('name')} />
        </Field>
        <Field label={t(($) => $.email)} hint={t(($) => $.emailHint)}>
          <Input type="email" value={user.email} readOnly />
        </Field>
        <ProfileFields form={form} />
        <div className="flex justify-end gap-2">
          <Button variant="ghost" disabled={!isDirty || isSubmitting} onClick={discard}>
            {t(($) => $.organization.discard)}
          </Button>
          <Button type="submit" variant="primary" isBusy={isSubmitting} disabled={!isDirty}>
            {t(($) => $.saveProfile)}
          </Button>
        </div>
      </form>
      <UnsavedGuard isDirty={isDirty} />
    </CardSection>
  )
}

function pick({ name, jobTitle, bio, language, timeZone }: CurrentUser): Omit<ProfileSettings, 'avatarUrl'> {
  return { name, jobTitle, bio, language, timeZone }
}
