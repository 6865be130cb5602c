// Which conversations are kept although part of their data has expired, and why.
import type { LeftAlone } from '#shared/messaging/retention.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { leftAloneOf } from './removal-counts.ts'

/** Renders nothing when there are none. */
export function LeftAloneNote({ left }: { left: LeftAlone | undefined }) {
  const { t } = useTranslation('settings')
  const counted = leftAloneOf(left, t)
  if (!counted) return null
  return <p className="text-[0.8125rem] text-muted-foreground">{t(($) => $.retention.leftNow, { counted })}</p>
}
