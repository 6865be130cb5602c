// /admin/audit: who did what in the whole installation.
import { AuditTrail } from '#web/components/audit/audit-trail.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { AdminLayout } from '../admin-layout.tsx'

/** The trail of all organizations, and how it is proven. */
export function AdminAuditPage() {
  const { t } = useTranslation('admin')
  return (
    <AdminLayout tab="audit">
      <CardSection title={t(($) => $.audit.title)} description={t(($) => $.audit.description)}>
        <AuditTrail isOfAll />
      </CardSection>
    </AdminLayout>
  )
}
