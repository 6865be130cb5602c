// /admin/branding: the brand of the installation.
import { brandOf, EMPTY_BRAND, type OwnBrand } from '#shared/organizations/branding.ts'
import { api } from '#web/api.ts'
import { BrandForm } from '#web/components/branding/brand-form.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useMutation, useQuery } from '#web/lib/server/convex.ts'
import { AdminLayout } from '../admin-layout.tsx'

/** Live. */
export function AdminBrandingPage() {
  const own: OwnBrand | undefined = useQuery(api.admin.branding.get, {})
  const update = useMutation(api.admin.branding.update)
  const removePicture = useMutation(api.admin.branding.removePicture, { hasToast: false })
  return (
    <AdminLayout tab="branding">
      {own ? (
        <BrandForm
          of="installation"
          own={own}
          inherited={brandOf(EMPTY_BRAND)}
          inheritedFooter=""
          onSave={update}
          onRemovePicture={(picture) => removePicture({ picture })}
        />
      ) : (
        <Delayed>
          <Skeleton className="h-96" />
        </Delayed>
      )}
    </AdminLayout>
  )
}
