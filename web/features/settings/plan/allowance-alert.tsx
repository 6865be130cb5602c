// What a low allowance means for customers, and the next step.
import { Link, useLocation } from 'react-router'
import type { UsageOverview } from '#shared/organizations/billing.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { formatCalendarDay, formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import { renewalDay } from './usage.rules.ts'

/** Nothing while enough is left. What happens at the limit is the organization's choice, so the alert says which. */
export function AllowanceAlert({ overview: { totals, thresholds, period } }: { overview: UsageOverview }) {
  const { t } = useTranslation('plan')
  const { atLimit } = useOrganization()
  const mayRequest = useMay('billing.write')
  const { search } = useLocation()
  const { status } = thresholds
  const { remaining } = totals
  if (status === 'ok' || remaining === null) return null
  const isUsedUp = remaining === 0
  const day = formatCalendarDay(renewalDay(period.key), 'long')
  return (
    <Alert
      tone={status === 'critical' ? 'destructive' : 'warning'}
      title={
        isUsedUp
          ? t(($) => $.alert.usedUp)
          : t(($) => $.alert[status], { count: remaining, value: formatNumber(remaining) })
      }
    >
      <p>{isUsedUp ? t(($) => $.alert.now[atLimit], { day }) : t(($) => $.alert.then[atLimit], { day })}</p>
      {mayRequest ? (
        <p className="mt-2 flex flex-wrap gap-2">
          <Link to={{ search, hash: 'plans' }} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.alert.choose)}
          </Link>
          <Link to={paths.organization} className={buttonClasses({ size: 'sm' })}>
            {t(($) => $.alert.atLimit)}
          </Link>
        </p>
      ) : (
        <p className="mt-1">{t(($) => $.alert.ask)}</p>
      )}
    </Alert>
  )
}
