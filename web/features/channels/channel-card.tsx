// One channel in the list of all: its description, its availability, the state of its connections.
import { Link } from 'react-router'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { ChannelIcon } from '#web/components/channel-icon.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useMay } from '#web/lib/sign-in/permissions.tsx'
import type { CatalogueEntry } from './catalogue.ts'
import { SummaryBadge } from './connection/status-badge.tsx'
import { summaryOf } from './connection/summary.rules.ts'
import { useChannelWords } from './use-channel-words.ts'

/** `wasConnected`: it had connections that are now off. `takesSlot`: it counts toward the plan's limit. `search`: the query of links. */
type ChannelCardProps = {
  entry: CatalogueEntry
  connections: ChannelConnection[]
  wasConnected: boolean
  takesSlot: boolean
  search: string
}

/** Links to the channel's connections, or to creating the first for those who may. Shows its availability until it has one, and always its status. */
export function ChannelCard({ entry, connections, wasConnected, takesSlot, search }: ChannelCardProps) {
  const { t } = useTranslation('channels')
  const { channel, availability } = entry
  const count = connections.length
  const mayConnect = useMay('channels.write')
  const leads = count > 0 || mayConnect
  const summary = summaryOf(connections, wasConnected)
  const { title: name, body, connect, count: counted } = useChannelWords()(channel, count)
  return (
    <Card className="relative flex h-full flex-col gap-3 p-5 transition-shadow hover:shadow-raised">
      <div className="flex items-start justify-between gap-3">
        <span
          aria-hidden="true"
          className="flex size-10 items-center justify-center rounded-lg bg-primary-soft text-primary-soft-foreground"
        >
          <ChannelIcon channel={channel} className="size-5" />
        </span>
        <div className="flex flex-wrap justify-end gap-1.5">
          {(summary === 'none' || availability !== 'available') && (
            <Badge tone="neutral">{t(($) => $.availability[availability])}</Badge>
          )}
          <SummaryBadge summary={summary} />
        </div>
      </div>
      <div>
        <h2 className="font-semibold">
          {leads ? (
            <Link
              to={{ pathname: count > 0 ? paths.channel(channel) : paths.channelSetup(channel), search }}
              className="link-cover"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        <p className="mt-0.5 text-muted-foreground">{body}</p>
      </div>
      <div className="mt-auto flex flex-wrap items-center gap-3 pt-1">
        <span className="text-[0.8125rem] text-muted-foreground">
          {t(($) => $.list.cost[CHANNELS[channel].cost])}
          {takesSlot && ` · ${t(($) => $.list.slotUse)}`}
          {count > 0 && ` · ${counted}`}
        </span>
        {/* The heading is the link; this only looks like one. */}
        {leads && (
          <span
            aria-hidden="true"
            className={buttonClasses({
              size: 'sm',
              variant: count > 0 ? 'secondary' : 'primary',
              className: 'ms-auto',
            })}
          >
            {count > 0 ? t(($) => $.list.open) : connect}
          </span>
        )}
      </div>
    </Card>
  )
}
