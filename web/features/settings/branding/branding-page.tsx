// /settings/branding: the brand of the organization.
import type { Brand, OwnBrand } from '#shared/organizations/branding.ts'
import { api } from '#web/api.ts'
import { BrandForm } from '#web/components/branding/brand-form.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { SettingsLayout } from '../settings-layout.tsx'

type Answer = { own: OwnBrand; inherited: Brand; inheritedFooter: string }

/** Live. What is empty here is as in the installation. */
export function BrandingPage() {
  const answer: Answer | undefined = useQuery(api.branding.get, {})
  const update = useMutation(api.branding.update)
  const removePicture = useMutation(api.branding.removePicture, { hasToast: false })
  return (
    <SettingsLayout tab="branding">
      {answer ? (
        <BrandForm
          of="organization"
          {...answer}
          onSave={({ senderAddress: _, ...settings }) => update(settings)}
          onRemovePicture={(picture) => removePicture({ picture })}
        />
      ) : (
        <Delayed>
          <Skeleton className="h-96" />
        </Delayed>
      )}
    </SettingsLayout>
  )
}
