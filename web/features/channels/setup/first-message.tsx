// Waiting for the first message to a new connection.
import { CircleCheck } from 'lucide-react'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'

/** Turns green by itself. */
export function FirstMessage({ hasArrived }: { hasArrived: boolean }) {
  const { t } = useTranslation('channels')
  return (
    <div
      role="status"
      className={cn(
        'flex items-start gap-3 rounded-lg p-4',
        hasArrived ? 'bg-success-soft text-success-soft-foreground' : 'bg-muted',
      )}
    >
      {hasArrived ? <CircleCheck aria-hidden="true" className="size-5 shrink-0" /> : <Spinner className="size-5" />}
      <div>
        <p className="font-medium">{hasArrived ? t(($) => $.setup.received) : t(($) => $.setup.waiting)}</p>
        <p>{hasArrived ? t(($) => $.setup.receivedHint) : t(($) => $.setup.waitingHint)}</p>
      </div>
    </div>
  )
}
