// Says that the server's database is unavailable, for as long as it is, and that nothing typed is lost.
import { DatabaseZap } from 'lucide-react'
import { useTranslation } from '#web/lib/i18n.ts'
import { useIsDatabaseDown } from '#web/lib/server/database-health.ts'

/** Comes and goes by itself. Its height is that of `--notice`, which pages that fill the window leave free. */
export function OutageBanner({ className }: { className?: string }) {
  const { t } = useTranslation()
  const isDown = useIsDatabaseDown()
  if (!isDown) return null
  return (
    <div role="alert" className={className}>
      <div className="flex min-h-(--notice) items-center gap-3 bg-warning-soft px-4 py-1.5 text-sm text-warning-soft-foreground sm:px-6">
        <DatabaseZap aria-hidden="true" className="size-4 shrink-0" />
        <p className="min-w-0 flex-1">
          <span className="font-medium">{t(($) => $.outage.title)}</span> {t(($) => $.outage.body)}
        </p>
      </div>
    </div>
  )
}
