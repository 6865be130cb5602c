// Whether the channels of an organization work, and which answers and deliveries failed lately. Nothing that a customer wrote.
import { CircleCheck } from 'lucide-react'
import { channelName } from '#shared/channels/manifests.ts'
import type { AdminConnection, AdminFailure } from '#shared/organizations/admin.ts'
import { useDeliveryErrorText, useOutcomeText } from '#web/components/chat/outcome-text.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'

const TONES = { connected: 'success', pending: 'warning', error: 'destructive', disconnected: 'neutral' } as const

/** Those with trouble first. */
export function ConnectionsSection({ connections }: { connections: AdminConnection[] }) {
  const { t } = useTranslation('admin')
  return (
    <CardSection title={t(($) => $.organizations.channels)}>
      {connections.length === 0 && <p className="text-muted-foreground">{t(($) => $.organizations.noChannels)}</p>}
      <ul className="divide-y divide-border">
        {connections.map((connection) => (
          <Connection key={connection._id} connection={connection} />
        ))}
      </ul>
    </CardSection>
  )
}

function Connection({ connection }: { connection: AdminConnection }) {
  const { t } = useTranslation(['admin', 'channels'])
  const { channel, identifier, status, error, lastInboundAt } = connection
  const isFailing = error !== null && status === 'connected'
  return (
    <li className="flex flex-col gap-1 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <span className="font-medium">{channelName(channel, currentLanguage())}</span>
        <span className="min-w-0 text-muted-foreground [overflow-wrap:anywhere]">{identifier}</span>
        <Badge tone={isFailing ? 'destructive' : TONES[status]} hasDot>
          {t(($) => $.status[isFailing ? 'failing' : status], { ns: 'channels' })}
        </Badge>
      </p>
      <p className="text-[0.8125rem] text-muted-foreground">
        {lastInboundAt === null ? (
          t(($) => $.organizations.noMessages)
        ) : (
          <>
            {t(($) => $.organizations.lastMessage)}: <RelativeTime at={lastInboundAt} />
          </>
        )}
      </p>
      {error !== null && <p className="break-words text-[0.8125rem] text-destructive-soft-foreground">{error}</p>}
    </li>
  )
}

/** The newest first. */
export function FailuresSection({ failures }: { failures: AdminFailure[] }) {
  const { t } = useTranslation('admin')
  return (
    <CardSection title={t(($) => $.organizations.failures)} description={t(($) => $.organizations.failuresHint)}>
      {failures.length === 0 && (
        <p className="flex items-center gap-2">
          <CircleCheck aria-hidden="true" className="size-4 shrink-0 text-success-soft-foreground" />
          {t(($) => $.organizations.noFailures)}
        </p>
      )}
      <ol className="divide-y divide-border">
        {failures.map((failure) => (
          <Failure key={failure._id} failure={failure} />
        ))}
      </ol>
    </CardSection>
  )
}

function Failure({ failure: { at, kind, channel, reason } }: { failure: AdminFailure }) {
  const { t } = useTranslation('admin')
  const outcomeText = useOutcomeText()
  const deliveryText = useDeliveryErrorText()
  const { text, detail } = kind === 'turn' ? { text: outcomeText(reason), detail: null } : deliveryText(reason)
  return (
    <li className="flex flex-col gap-0.5 py-3 first:pt-0 last:pb-0">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <span className="font-medium">
          {t(($) => $.organizations.failed[kind])} · {channelName(channel, currentLanguage())}
        </span>
        <DateTime at={at} className="text-[0.8125rem] text-muted-foreground" />
      </p>
      <p className="break-words text-[0.8125rem]">{text}</p>
      {detail && <p className="break-words text-[0.8125rem] text-muted-foreground">{detail}</p>}
    </li>
  )
}
