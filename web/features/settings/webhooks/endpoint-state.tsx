// How an endpoint stands, in a word.
import type { WebhookEndpoint } from '#shared/webhooks/webhooks.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

const TONES = {
  working: 'success',
  untried: 'neutral',
  failing: 'warning',
  off: 'neutral',
  disabled: 'destructive',
} as const

/** A badge: working, failing, off, and so on. */
export function EndpointStateBadge({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { t } = useTranslation('webhooks')
  const state = standingOf(endpoint)
  return (
    <Badge tone={TONES[state]} hasDot>
      {t(($) => $.standing[state])}
    </Badge>
  )
}

function standingOf({ state, failingSince, lastDeliveredAt }: WebhookEndpoint): keyof typeof TONES {
  if (state !== 'on') return state
  if (failingSince !== null) return 'failing'
  return lastDeliveredAt === null ? 'untried' : 'working'
}
