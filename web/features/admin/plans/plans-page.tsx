// /admin/plans: what organizations ask for, and the plans of the installation.
import { AdminLayout } from '../admin-layout.tsx'
import { PlansSection } from './plans-section.tsx'
import { RequestsSection } from './requests-section.tsx'

/** Both live. */
export function AdminPlansPage() {
  return (
    <AdminLayout tab="plans">
      <RequestsSection />
      <PlansSection />
    </AdminLayout>
  )
}
