// Last step: the bot is connected; the page waits, live, for the first message to it.
import { CircleCheck, ExternalLink } from 'lucide-react'
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { CardSection } from '#web/components/ui/card.tsx'
import { Spinner } from '#web/components/ui/spinner.tsx'
import { cn } from '#web/lib/cn.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { StatusBadge } from '../status-badge.tsx'

/** Turns by itself when the first message has arrived. */
export function DoneStep({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('channels')
  const name = connection.identifier
  const hasMessage = connection.lastInboundAt !== null
  return (
    <CardSection
      title={t(($) => $.setup.doneTitle, { name })}
      description={!hasMessage && t(($) => $.setup.doneBody)}
      actions={<StatusBadge status={connection.status} />}
    >
      <div className="flex flex-col gap-5">
        <FirstMessage hasArrived={hasMessage} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <a
            href={`https://t.me/${name}`}
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
          <Link to={paths.telegramConnection(connection._id)} className={buttonClasses({ variant: 'link' })}>
            {t(($) => $.setup.openConnection)}
          </Link>
        </div>
      </div>
    </CardSection>
  )
}

function FirstMessage({ hasArrived }: { hasArrived: boolean }) {
  const { t } = useTranslation('channels')
  return (
    <div
      role="status"
      className={cn(
        'flex items-start gap-3 rounded-lg p-4',
        hasArrived ? 'bg-success-soft text-success-soft-foreground' : 'bg-muted',
      )}
    >
      {hasArrived ? <CircleCheck aria-hidden="true" className="size-5" /> : <Spinner className="size-5" />}
      <div>
        <p className="font-medium">{hasArrived ? t(($) => $.setup.received) : t(($) => $.setup.waiting)}</p>
        <p>{hasArrived ? t(($) => $.setup.receivedHint) : t(($) => $.setup.waitingHint)}</p>
      </div>
    </div>
  )
}
