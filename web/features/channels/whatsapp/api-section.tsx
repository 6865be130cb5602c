// How an instance and this installation reach each other, as GREEN-API has it.
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { Alert } from '#web/components/ui/alert.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { Fact } from '../connection/fact.tsx'
import { StatusBadge } from '../connection/status-badge.tsx'
import { useSetup } from './use-setup.ts'

/** Asked of GREEN-API when it is opened. */
export function WhatsappApiSection({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const { setup, failure, reload } = useSetup(connection._id)
  const code = (text: string) => <code className="font-mono text-[0.8125rem]">{text}</code>
  return (
    <CardSection title={t(($) => $.whatsappApi.title)} actions={<StatusBadge connection={connection} />}>
      {failure && (
        <Alert
          tone="destructive"
          action={
            <Button size="sm" onClick={reload}>
              {t(($) => $.whatsappSettings.reload)}
            </Button>
          }
        >
          {failure}
        </Alert>
      )}
      {!failure && !setup && (
        <Delayed>
          <Skeleton className="h-40 rounded-lg" />
        </Delayed>
      )}
      {setup && (
        <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
          <Fact label={t(($) => $.whatsappSetup.idInstance)}>{code(connection.externalAccountId)}</Fact>
          <Fact label={t(($) => $.whatsappSetup.apiToken)}>{code(connection.maskedToken)}</Fact>
          <Fact label={t(($) => $.whatsappSetup.apiUrl)}>{code(setup.apiUrl)}</Fact>
          <Fact label={t(($) => $.whatsappApi.mediaUrl)}>{code(setup.mediaUrl)}</Fact>
          <Fact label={t(($) => $.connection.delivery)}>{t(($) => $.delivery[connection.delivery])}</Fact>
          <Fact label={t(($) => $.whatsappApi.webhookUrl)}>
            {setup.webhookUrl ? code(setup.webhookUrl) : t(($) => $.whatsappApi.noWebhook)}
          </Fact>
          <Fact label={t(($) => $.whatsappApi.notifications)}>
            {setup.isTelling ? t(($) => $.whatsappApi.isTelling) : t(($) => $.whatsappApi.isSilent)}
          </Fact>
        </dl>
      )}
    </CardSection>
  )
}
