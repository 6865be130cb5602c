// /settings/audit: who did what in the organization.
import { AuditTrail } from '#web/components/audit/audit-trail.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { SettingsLayout } from '../settings-layout.tsx'

/** One section. */
export function AuditPage() {
  const { t } = useTranslation('audit')
  return (
    <SettingsLayout tab="audit">
      <CardSection title={t(($) => $.title)} description={t(($) => $.description)}>
        <AuditTrail />
      </CardSection>
    </SettingsLayout>
  )
}
