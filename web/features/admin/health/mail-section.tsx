// Letters of the installation: whether they can be sent, and whether they are.
import type { Health } from '#shared/organizations/health.ts'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { Facts, HealthSection } from './health-section.tsx'

/** Of the days for which letters are kept. */
export function MailSection({ health: { mail, problems } }: { health: Health }) {
  const { t } = useTranslation('admin')
  const { isConfigured, waiting, failed, kept, lastSentAt } = mail
  const facts = [
    {
      label: t(($) => $.health.mail.server),
      value: isConfigured ? t(($) => $.health.mail.on) : t(($) => $.health.mail.off),
    },
    { label: t(($) => $.health.mail.waiting), value: formatNumber(waiting) },
    { label: t(($) => $.health.mail.failed), value: formatNumber(failed) },
    ...(kept > 0 ? [{ label: t(($) => $.health.mail.kept), value: formatNumber(kept) }] : []),
    {
      label: t(($) => $.health.mail.lastSent),
      value: lastSentAt === null ? t(($) => $.health.mail.never) : <RelativeTime at={lastSentAt} />,
    },
  ]
  return (
    <HealthSection name="mail" problems={problems}>
      <Facts facts={facts} />
      {!isConfigured && kept === 0 && (
        <p className="max-w-prose text-muted-foreground">{t(($) => $.health.mail.offHint)}</p>
      )}
    </HealthSection>
  )
}
