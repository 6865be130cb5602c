// State of a connection, and of a whole channel, in a word.
import type { ConnectionStatus } from '#shared/channels.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ChannelSummary } from './summary.rules.ts'

const STATUS_TONES = {
  connected: 'success',
  pending: 'warning',
  error: 'destructive',
  disconnected: 'neutral',
} as const
const SUMMARY_TONES = {
  connected: 'success',
  pending: 'warning',
  action: 'destructive',
  disconnected: 'neutral',
  none: 'neutral',
} as const

/** Of one connection. */
export function StatusBadge({ status }: { status: ConnectionStatus }) {
  const { t } = useTranslation('channels')
  return (
    <Badge tone={STATUS_TONES[status]} hasDot>
      {t(($) => $.status[status])}
    </Badge>
  )
}

/** Of all connections of a channel. */
export function SummaryBadge({ summary }: { summary: ChannelSummary }) {
  const { t } = useTranslation('channels')
  return (
    <Badge tone={SUMMARY_TONES[summary]} hasDot>
      {t(($) => $.summary[summary])}
    </Badge>
  )
}
