// Whether the page is in touch with the server: connected, connecting for the first time, or cut off.
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { useConnection } from '#web/lib/server/convex.ts'

const TONES = { connected: 'success', connecting: 'neutral', disconnected: 'destructive' } as const

/** Announced politely when it changes. */
export function ConnectionState() {
  const { t } = useTranslation('test-chat')
  const { isConnected, hasEverConnected } = useConnection()
  const state = isConnected ? 'connected' : hasEverConnected ? 'disconnected' : 'connecting'
  return (
    <span role="status">
      <Badge tone={TONES[state]} hasDot>
        <span className="max-sm:sr-only">{t(($) => $.page[state])}</span>
      </Badge>
    </span>
  )
}
