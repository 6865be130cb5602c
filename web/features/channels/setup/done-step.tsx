// Last step: the bot is connected; the page waits, live, for the first message to it.
import { ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { StatusBadge } from '../connection/status-badge.tsx'
import { useChatLink } from '../use-demonstration.ts'
import { FirstMessage } from './first-message.tsx'

/** Turns by itself when the first message has arrived. */
export function DoneStep({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const chatLink = useChatLink()
  const name = connection.identifier
  const hasMessage = connection.lastInboundAt !== null
  return (
    <CardSection
      title={t(($) => $.setup.doneTitle, { name })}
      description={!hasMessage && t(($) => $.setup.doneBody)}
      actions={<StatusBadge connection={connection} />}
    >
      <div className="flex flex-col gap-5">
        <FirstMessage hasArrived={hasMessage} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <a
            href={chatLink(connection)}
            target="_blank"
            rel="noopener noreferrer"
            className={buttonClasses({ variant: hasMessage ? 'secondary' : 'primary' })}
          >
            <ExternalLink aria-hidden="true" />
            {t(($) => $.setup.openBot, { name })}
          </a>
          <Link to={paths.chats} className={buttonClasses({ variant: hasMessage ? 'primary' : 'secondary' })}>
            {t(($) => $.setup.openInbox)}
          </Link>
          <Link to={paths.channelConnection('telegram', connection._id)} className={buttonClasses({ variant: 'link' })}>
            {t(($) => $.setup.openConnection)}
          </Link>
        </div>
      </div>
    </CardSection>
  )
}
