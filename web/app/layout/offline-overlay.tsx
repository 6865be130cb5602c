// Covers the page while the realtime connection is lost. The page below stays, with everything typed in it.
import { CloudOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { OFFLINE_OVERLAY_DELAY_MS } from '#shared/limits.ts'
import { Button } from '#web/components/ui/button.tsx'
import { FullScreenAlert } from '#web/components/ui/full-screen-alert.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { reconnectNow, useConnection } from '#web/lib/server/convex.ts'
import { useIsDatabaseDown } from '#web/lib/server/database-health.ts'
import { atServer } from '#web/lib/server/server-address.ts'

/** Interval of the readiness probe, in ms. */
const PROBE_MS = 2000

/**
 * Appears 1.5 s after the connection is lost and closes by itself when it is back. It covers the outage banner; when the server itself
 * answers, it names the database as the cause.
 */
export function OfflineOverlay() {
  const { t } = useTranslation()
  const { isConnected, hasEverConnected } = useConnection()
  const isLost = useDelayed(hasEverConnected && !isConnected, OFFLINE_OVERLAY_DELAY_MS)
  useQuickReturn(isLost)
  const isDatabaseDown = useIsDatabaseDown()
  if (!isLost) return null
  return (
    <FullScreenAlert
      icon={<CloudOff aria-hidden="true" className="size-7" strokeWidth={1.5} />}
      title={isDatabaseDown ? t(($) => $.boundary.database.title) : t(($) => $.offline.title)}
      description={isDatabaseDown ? t(($) => $.outage.lost) : t(($) => $.offline.body)}
    >
      <div className="flex items-center gap-3">
        <Button variant="primary" onClick={() => window.location.reload()}>
          {t(($) => $.offline.reload)}
        </Button>
        <Spinner className="size-5 text-muted-foreground" />
      </div>
    </FullScreenAlert>
  )
}

/** Reconnects as soon as the server is ready, instead of waiting up to 16 s for the next attempt of the client. */
function useQuickReturn(isLost: boolean): void {
  useEffect(() => {
    if (!isLost) return
    const timer = setInterval(() => {
      fetch(atServer('/readyz'), { cache: 'no-store' }).then(
        (response) => response.ok && reconnectNow(),
        () => undefined,
      )
    }, PROBE_MS)
    return () => clearInterval(timer)
  }, [isLost])
}

/** True once the condition has held without a break for `delayMs`. */
function useDelayed(condition: boolean, delayMs: number): boolean {
  const [hasHeld, setHasHeld] = useState(false)
  useEffect(() => {
    if (!condition) return
    const timer = setTimeout(() => setHasHeld(true), delayMs)
    return () => {
      clearTimeout(timer)
      setHasHeld(false)
    }
  }, [condition, delayMs])
  return condition && hasHeld
}
