// Keeps the pages of an organization under its brand.
import { useEffect } from 'react'
import type { Brand } from '#shared/organizations/branding.ts'
import { api } from '#web/api.ts'
import { showBrand } from '#web/lib/browser/brand.ts'
import { useQuery } from '#web/lib/server/convex.ts'

/** Live: a change is seen at once by everybody in the organization. */
export function BrandKeeper() {
  const brand: Brand | undefined = useQuery(api.branding.shown, {})
  useEffect(() => {
    if (brand) showBrand(brand)
  }, [brand])
  return null
}
