// The user's open alerts, on whichever channels they are delivered.
import { Link } from 'react-router'
import { api } from '#web/api.ts'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { alertPath, useAlerts, useAlertText } from '#web/lib/alerts.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useMutation } from '#web/lib/server/convex.ts'

/** A list of links; each disappears when its target has been opened, or all at once. */
export function AlertsWaitingSection() {
  const { t } = useTranslation('settings')
  const alerts = useAlerts()
  const textOf = useAlertText()
  const markSeen = useMutation(api.alerts.markSeen)
  if (!alerts) return null
  const seeAll = () => void markSeen({ alertIds: alerts.map(({ _id }) => _id) }).catch(() => undefined) // reported in a toast
  return (
    <CardSection
      title={t(($) => $.alerts.waiting)}
      actions={
        alerts.length > 0 && (
          <Button size="sm" onClick={seeAll}>
            {t(($) => $.alerts.seenAll)}
          </Button>
        )
      }
    >
      {alerts.length === 0 && <p className="text-muted-foreground">{t(($) => $.alerts.waitingNone)}</p>}
      <ul className="flex flex-col gap-2 empty:hidden">
        {alerts.map((alert) => (
          <li key={alert._id} className="flex flex-wrap items-baseline justify-between gap-x-4">
            <Link to={alertPath(alert)} className="min-w-0 break-words underline underline-offset-4">
              {textOf(alert)}
            </Link>
            <span className="text-[0.8125rem] text-muted-foreground">
              <RelativeTime at={alert.at} />
            </span>
          </li>
        ))}
      </ul>
    </CardSection>
  )
}
