// What Meta has last refused a number of the Cloud API, and what helps.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { isUnsubscribed } from '../connection/unsubscribed.ts'

/** Nothing where Meta refuses nothing. */
export function CloudErrorAlert({ connection: { lastError } }: { connection: Pick<ChannelConnection, 'lastError'> }) {
  const { t } = useTranslation('channels')
  if (!lastError) return null
  const isUnsubscribedNumber = isUnsubscribed(lastError)
  return (
    <Alert
      tone="destructive"
      title={isUnsubscribedNumber ? t(($) => $.whatsappCloud.untoldTitle) : t(($) => $.whatsappCloud.errorTitle)}
    >
      <p className="break-words font-mono text-xs">{lastError}</p>
      <p className="mt-1">
        {isUnsubscribedNumber ? t(($) => $.whatsappCloud.untoldHelp) : t(($) => $.whatsappCloud.errorHelp)}
      </p>
    </Alert>
  )
}
