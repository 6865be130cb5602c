// Settings: where customers reach the agent.
import { Link } from 'react-router'
import type { Agent } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { channelName, MESSENGER_CHANNELS } from '#shared/channels/manifests.ts'
import { ChannelIcon } from '#web/components/channel-icon.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { currentLanguage, useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName, connectionPath } from '#web/lib/server/connections.ts'
import { OpenSection } from '../section.tsx'

const TONES = { connected: 'success', pending: 'neutral', error: 'destructive', disconnected: 'neutral' } as const

/** Connected bots and numbers, and the way to connect one. */
export function ChannelsSection({ agent, connections }: { agent: Agent; connections: ChannelConnection[] }) {
  const { t } = useTranslation('agents')
  const search = `?agentSlug=${encodeURIComponent(agent.slug)}`
  return (
    <OpenSection
      id="channels"
      actions={
        <div className="flex flex-wrap gap-2">
          <Link to={paths.channelSetup('telegram') + search} className={buttonClasses()}>
            {t(($) => $.settings.connectTelegram)}
          </Link>
          <Link to={paths.channelSetup('whatsapp') + search} className={buttonClasses()}>
            {t(($) => $.settings.connectWhatsapp)}
          </Link>
          <Link to={paths.channelSetup('whatsappCloud') + search} className={buttonClasses()}>
            {t(($) => $.settings.connectWhatsappCloud)}
          </Link>
          {MESSENGER_CHANNELS.map((channel) => (
            <Link key={channel} to={paths.channelSetup(channel) + search} className={buttonClasses()}>
              {t(($) => $.settings.connectMessenger, { name: channelName(channel, currentLanguage()) })}
            </Link>
          ))}
          <Link to={paths.channelSetup('http') + search} className={buttonClasses()}>
            {t(($) => $.settings.connectHttp)}
          </Link>
          <Link to={paths.channelSetup('webchat') + search} className={buttonClasses()}>
            {t(($) => $.settings.connectWebchat)}
          </Link>
        </div>
      }
    >
      {connections.length === 0 && <p className="text-muted-foreground">{t(($) => $.settings.noChannels)}</p>}
      {connections.length > 0 && (
        <ul className="divide-y divide-border rounded-lg border border-border">
          {connections.map((connection) => (
            <ConnectionRow key={connection._id} connection={connection} />
          ))}
        </ul>
      )}
    </OpenSection>
  )
}

function ConnectionRow({ connection }: { connection: ChannelConnection }) {
  const { t } = useTranslation('agents')
  const name = connectionName(connection)
  return (
    <li className="relative flex items-center gap-3 px-4 py-3 hover:bg-muted/60">
      <ChannelIcon channel={connection.channel} className="size-4 text-muted-foreground" />
      <Link
        to={connectionPath(connection)}
        aria-label={t(($) => $.settings.manageChannel, { name })}
        className="link-cover min-w-0 flex-1 truncate font-medium"
      >
        {name}
      </Link>
      <Badge tone={TONES[connection.status]} hasDot>
        {t(($) => $.connectionStatus[connection.status])}
      </Badge>
    </li>
  )
}
