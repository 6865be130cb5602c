// A word above the box when the plan's messages are nearly used up.

import { formatNumber } from '#web/lib/format.ts'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { useOrganization } from '#web/lib/sign-in/current-user.tsx'
import { useUsageOverview } from '#web/lib/use-usage-overview.ts'
import { nearLimit } from './allowance.rules.ts'

/** Renders nothing while enough is left. */
export function AllowanceNote() {
  const { t } = useTranslation('test-chat')
  const { timeZone } = useOrganization()
  const overview = useUsageOverview()
  const near = overview && nearLimit(overview)
  if (!near) return null
  const date = new Intl.DateTimeFormat(currentLanguage(), { day: 'numeric', month: 'long', timeZone: 'UTC' })
  const day = date.format(new Date(near.resetsOn))
  return (
    <span role="status" className="block rounded-lg bg-warning-soft px-3 py-2 text-warning-soft-foreground">
      {t(($) => $.allowance.left, { count: near.remaining, value: formatNumber(near.remaining) })}{' '}
      {t(($) => $.allowance.resets, { day, timeZone })}
    </span>
  )
}
