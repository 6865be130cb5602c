// State of a connection, and of a whole channel, in a word.
import type { AccountState, ChannelConnection } from '#shared/channels/channels.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import type { ChannelSummary } from './summary.rules.ts'

const STATUS_TONES = {
  connected: 'success',
  pending: 'warning',
  error: 'destructive',
  disconnected: 'neutral',
} as const
const STATE_TONES = {
  authorized: 'success',
  sleepMode: 'success',
  starting: 'warning',
  notAuthorized: 'warning',
  yellowCard: 'destructive',
  suspended: 'destructive',
  blocked: 'destructive',
  pendingPassword: 'destructive',
  unknown: 'destructive',
} as const satisfies Record<AccountState, string>
const SUMMARY_TONES = {
  connected: 'success',
  pending: 'warning',
  action: 'destructive',
  disconnected: 'neutral',
  none: 'neutral',
} as const

/** Of one connection: that it fails; otherwise, of an account that is a phone, the state that the provider tells. */
export function StatusBadge({
  connection,
}: {
  connection: Pick<ChannelConnection, 'status' | 'accountState' | 'failingSince'>
}) {
  const { t } = useTranslation('channels')
  const { status, accountState, failingSince } = connection
  if (failingSince !== null) {
    return (
      <Badge tone="destructive" hasDot>
        {t(($) => $.status.failing)}
      </Badge>
    )
  }
  const isAccountState = accountState !== null && (status === 'connected' || status === 'pending')
  return (
    <Badge tone={isAccountState ? STATE_TONES[accountState] : STATUS_TONES[status]} hasDot>
      {isAccountState ? t(($) => $.accountState[accountState]) : t(($) => $.status[status])}
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
