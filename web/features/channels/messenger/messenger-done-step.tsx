// Last step for a messenger: it delivers; the page waits, live, for the first message.
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { MessengerChannel } from '#shared/channels/manifests.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName, connectionPath } from '#web/lib/server/connections.ts'
import { StatusBadge } from '../connection/status-badge.tsx'
import { TurnedAwayAlert } from '../connection/turned-away-alert.tsx'
import { FirstMessage } from '../setup/first-message.tsx'
import { useMessengerLink } from '../use-demonstration.ts'

/** Turns by itself when the first message has arrived. */
export function MessengerDoneStep({
  channel,
  connection,
}: {
  channel: MessengerChannel
  connection: ChannelConnection
}) {
  const { t } = useTranslation('channels')
  const href = useMessengerLink()(connection)
  const hasMessage = connection.lastInboundAt !== null
  return (
    <CardSection
      title={t(($) => $.messenger.doneTitle, { name: connectionName(connection) })}
      description={!hasMessage && t(($) => $.messengers[channel].firstMessage)}
      actions={<StatusBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        <TurnedAwayAlert connection={connection} />
        <FirstMessage hasArrived={hasMessage} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          {href !== null && (
            <a
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              className={buttonClasses({ variant: hasMessage ? 'secondary' : 'primary' })}
            >
              <ExternalLink aria-hidden="true" />
              {t(($) => $.messenger.openChat)}
            </a>
          )}
          <Link to={paths.chats} className={buttonClasses({ variant: hasMessage ? 'primary' : 'secondary' })}>
            {t(($) => $.setup.openInbox)}
          </Link>
          <Link to={connectionPath(connection)} className={buttonClasses({ variant: 'link' })}>
            {t(($) => $.setup.openConnection)}
          </Link>
        </div>
      </div>
    </CardSection>
  )
}
