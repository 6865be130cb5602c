// Third step for the Cloud API: the address is entered at Meta, which asks it whether it wants to be delivered to.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { StatusBadge } from '../connection/status-badge.tsx'
import { DemonstrationHint } from '../demonstration-hint.tsx'
import { useDemonstration } from '../use-demonstration.ts'
import { CloudErrorAlert } from '../whatsapp-cloud/cloud-error-alert.tsx'
import { CloudCheck, CloudWebhook } from '../whatsapp-cloud/cloud-webhook.tsx'

/** Left by itself when Meta has asked, or by the button when the address stood there already. */
export function CloudWebhookStep({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const demonstration = useDemonstration()
  return (
    <CardSection
      title={t(($) => $.cloudSetup.webhookTitle)}
      description={t(($) => $.cloudSetup.webhookBody)}
      actions={<StatusBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        {connection.status === 'error' && <CloudErrorAlert connection={connection} />}
        {demonstration && <DemonstrationHint what="cloudWebhook" href={demonstration.whatsappCloud} />}
        <CloudWebhook connection={connection} />
        <p role="status" className="flex items-center gap-2 text-muted-foreground">
          <Spinner className="size-4" />
          {t(($) => $.cloudSetup.waiting)}
        </p>
        <CloudCheck connection={connection} />
      </div>
    </CardSection>
  )
}
