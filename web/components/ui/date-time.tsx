// Moments in time as people read them.
import { useEffect, useState } from 'react'
import { formatDateTime, formatRelative } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Date and time with the zone in the title. `at` is milliseconds since the epoch. */
export function DateTime({ at, className }: { at: number; className?: string }) {
  useTranslation() // renders again when the language changes
  return (
    <time dateTime={new Date(at).toISOString()} title={formatDateTime(at, 'full')} className={className}>
      {formatDateTime(at)}
    </time>
  )
}

/** "3 minutes ago", renewed every half minute; the exact time is in the title and read by screen readers. */
export function RelativeTime({ at, className }: { at: number; className?: string }) {
  useTranslation()
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  const exact = formatDateTime(at, 'full')
  return (
    <time dateTime={new Date(at).toISOString()} title={exact} className={className}>
      <span aria-hidden="true">{formatRelative(at, now)}</span>
      <span className="sr-only">{exact}</span>
    </time>
  )
}
