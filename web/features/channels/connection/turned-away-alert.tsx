// Says that nothing of what customers write is taken, because it is signed with another secret than was entered.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { RelativeTime } from '#web/components/ui/date-time.tsx'
import { useTranslation } from '#web/lib/i18n.ts'

/** Nothing where deliveries are taken. Live. */
export function TurnedAwayAlert({ connection: { channel, signatureRejectedAt } }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  if (signatureRejectedAt === null) return null
  return (
    <Alert tone="destructive" title={t(($) => $.health.turnedAway)}>
      {channel === 'http' ? t(($) => $.health.turnedAwayHttp) : t(($) => $.health.turnedAwayBody)}{' '}
      <RelativeTime at={signatureRejectedAt} />
    </Alert>
  )
}
