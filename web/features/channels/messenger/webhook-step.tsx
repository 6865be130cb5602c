// Third step for a messenger whose webhook address a person enters at the provider.

import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { StatusBadge } from '../connection/status-badge.tsx'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { MessengerAddress, MessengerCheck } from './delivery.tsx'

/** Advances by itself when the provider has verified the address, or with the button when it was set already. */
export function WebhookStep({ channel, connection }: { channel: MessengerChannel; connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const page = useDemonstration()?.messengers[channel]
  const name = channelName(channel, currentLanguage())
  return (
    <CardSection
      title={t(($) => $.messenger.webhookTitle)}
      description={t(($) => $.messengers[channel].delivery)}
      actions={<StatusBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        {connection.status === 'error' && (
          <Alert tone="destructive" title={t(($) => $.messenger.errorTitle, { name })}>
            <p className="break-words font-mono text-xs">{connection.lastError}</p>
            <p className="mt-1">{t(($) => $.messenger.refusedHelp, { name })}</p>
          </Alert>
        )}
        {/* So far only Meta has the address entered by hand. */}
        {page && <DemonstrationHint what="cloudWebhook" href={page} />}
        <MessengerAddress connection={connection} />
        <p role="status" className="flex items-center gap-2 text-muted-foreground">
          <Spinner className="size-4" />
          {t(($) => $.messenger.waiting)}
        </p>
        <MessengerCheck connection={connection} />
      </div>
    </CardSection>
  )
}
