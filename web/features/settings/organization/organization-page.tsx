// /settings/organization: settings shared by all members. One form, one save.

import { zodResolver } from '@hookform/resolvers/zod'
import { FormProvider, useForm } from 'react-hook-form'
import {
  type Organization,
  type OrganizationSettings,
  organizationSettings,
} from '#shared/organizations/organizations.ts'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { UnsavedGuard } from '#web/components/unsaved-guard.tsx'
import { useShortcut } from '#web/lib/browser/shortcuts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { May, useMay, WritableBy } from '#web/lib/sign-in/permissions.tsx'
import { toast } from '#web/lib/toast.ts'
import { SettingsLayout } from '../settings-layout.tsx'
import { UnattendedSection } from '../team/unattended-section.tsx'
import { DemandsSection } from './demands-section.tsx'
import { FactsSection } from './facts-section.tsx'
import { HelperSection } from './helper-section.tsx'
import { LimitsSection } from './limits-section.tsx'
import { OrganizationSection } from './organization-section.tsx'
import { RemovalSection } from './removal-section.tsx'
import { SpendSection } from './spend-section.tsx'

/** Four sections of the form, and the spending. What a colleague saves meanwhile appears in the fields not being edited here. */
export function OrganizationPage() {
  const { t } = useTranslation('settings')
  const organization = useOrganization()
  const update = useMutation(api.organizations.update)
  const form = useForm<OrganizationSettings>({
    resolver: zodResolver(organizationSettings),
    values: formOf(organization),
    resetOptions: { keepDirtyValues: true },
  })
  const { isDirty, isSubmitting } = form.formState
  const mayWrite = useMay('organization.write')
  const save = form.handleSubmit(async (entry) => {
    const saved = await update({ patch: changesOf(formOf(organization), entry) }).catch(() => null)
    if (!saved) return // reported in a toast
    form.reset(formOf(saved))
    toast.success(t(($) => $.organization.saved))
  })
  useShortcut('save', () => void save(), { isEnabled: mayWrite && isDirty })
  return (
    <SettingsLayout tab="organization">
      <FormProvider {...form}>
        <form onSubmit={save} noValidate className="flex flex-col gap-6">
          <WritableBy permission="organization.write">
            <OrganizationSection />
            <LimitsSection />
            <UnattendedSection />
            <HelperSection />
            <May need="organization.write">
              <div className="flex justify-end gap-2">
                <Button
                  variant="ghost"
                  disabled={!isDirty || isSubmitting}
                  onClick={() => form.reset(formOf(organization), { keepDirtyValues: false })}
                >
                  {t(($) => $.organization.discard)}
                </Button>
                <Button type="submit" variant="primary" isBusy={isSubmitting} disabled={!isDirty}>
                  {t(($) => $.organization.save)}
                </Button>
              </div>
            </May>
          </WritableBy>
        </form>
      </FormProvider>
      <FactsSection />
      <DemandsSection />
      <SpendSection />
      <RemovalSection />
      <UnsavedGuard isDirty={isDirty} />
    </SettingsLayout>
  )
}

function formOf(organization: Organization): OrganizationSettings {
  const { name, displayName, supportEmail, timeZone, atLimit, limitText, monthlySpendLimitUsd } = organization
  const { unattendedAfterSeconds, unattendedText, helperModel } = organization
  return {
    name,
    displayName: displayName ?? '',
    logoUrl: organization.logoUrl ?? '',
    supportEmail: supportEmail ?? '',
    timeZone,
    atLimit,
    limitText,
    monthlySpendLimitUsd,
    unattendedAfterSeconds,
    unattendedText,
    helperModel,
  }
}

/** Leaves out what was not changed here, so that a colleague's save is not overwritten. */
function changesOf(before: OrganizationSettings, after: OrganizationSettings): Partial<OrganizationSettings> {
  const names = Object.keys(after) as (keyof OrganizationSettings)[]
  return Object.fromEntries(names.filter((name) => after[name] !== before[name]).map((name) => [name, after[name]]))
}
