// Settings: where customers reach the agent.
import { Send } from 'lucide-react'
import { Link } from 'react-router'
import type { Agent } from '#shared/agents.ts'
import type { ChannelConnection } from '#shared/channels.ts'
import { Badge } from '#web/components/ui/badge.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { OpenSection } from './section.tsx'

const TONES = { connected: 'success', pending: 'neutral', error: 'destructive', disconnected: 'neutral' } as const

/** Connected bots, and the way to connect one. */
export function ChannelsSection({ agent, connections }: { agent: Agent; connections: ChannelConnection[] }) {
  const { t } = useTranslation('agents')
  return (
    <OpenSection
      id="channels"
      actions={
        <Link to={`${paths.telegramSetup}?agentSlug=${encodeURIComponent(agent.slug)}`} className={buttonClasses()}>
          {t(($) => $.settings.connectTelegram)}
        </Link>
      }
    >
      {connections.length === 0 && <p className="text-muted-foreground">{t(($) => $.settings.noChannels)}</p>}
      {connections.length > 0 && (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {connections.map((connection) => (
            <li key={connection._id} className="relative flex items-center gap-3 px-4 py-3 hover:bg-muted/60">
              <Send aria-hidden="true" className="size-4 text-muted-foreground" />
              <Link
                to={paths.telegramConnection(connection._id)}
                aria-label={t(($) => $.settings.manageChannel, { name: connection.identifier })}
                className="link-cover min-w-0 flex-1 truncate font-medium"
              >
                @{connection.identifier}
              </Link>
              <Badge tone={TONES[connection.status]} hasDot>
                {t(($) => $.connectionStatus[connection.status])}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </OpenSection>
  )
}
