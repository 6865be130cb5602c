// /channels: the channels through which customers can write.
import { Link, useLocation } from 'react-router'
import type { ChannelConnection } from '#shared/channels.ts'
import { api } from '#web/api.ts'
import { ChannelIcon } from '#web/components/channel-icon.tsx'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { useQuery } from '#web/lib/convex.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { SummaryBadge } from './status-badge.tsx'
import { summaryOf } from './summary.rules.ts'

const CHANNELS = [
  { channel: 'telegram', list: paths.telegram, setup: paths.telegramSetup },
  { channel: 'whatsapp', list: paths.whatsapp, setup: paths.whatsappSetup },
  { channel: 'http', list: paths.http, setup: paths.httpSetup },
  { channel: 'webchat', list: paths.webchat, setup: paths.webchatSetup },
] as const

/** One card for each channel with its summary state, live. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  return (
    <Page title={t(($) => $.list.title)} description={t(($) => $.list.subtitle)}>
      {connections ? (
        <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {CHANNELS.map((each) => (
            <li key={each.channel}>
              <ChannelCard
                {...each}
                connections={connections.filter((connection) => connection.channel === each.channel)}
              />
            </li>
          ))}
        </ul>
      ) : (
        <Delayed>
          <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
            {CHANNELS.map(({ channel }) => (
              <Skeleton key={channel} className="h-44 rounded-xl" />
            ))}
          </div>
        </Delayed>
      )}
    </Page>
  )
}

type ChannelCardProps = (typeof CHANNELS)[number] & { connections: ChannelConnection[] }

function ChannelCard({ channel, list, setup, connections }: ChannelCardProps) {
  const { t } = useTranslation('channels')
  // The agent that the reader comes from travels on to the setup.
  const { search } = useLocation()
  const count = connections.length
  const name = t(($) => $[channel].title)
  return (
    <Card className="relative flex h-full flex-col gap-3 p-5 transition-shadow hover:shadow-raised">
      <div className="flex items-start justify-between gap-3">
        <span
          aria-hidden="true"
          className="flex size-10 items-center justify-center rounded-lg bg-primary-soft text-primary-soft-foreground"
        >
          <ChannelIcon channel={channel} className="size-5" />
        </span>
        <SummaryBadge summary={summaryOf(connections)} />
      </div>
      <div>
        <h2 className="font-semibold">
          <Link to={{ pathname: count > 0 ? list : setup, search }} className="link-cover">
            {name}
          </Link>
        </h2>
        <p className="mt-0.5 text-muted-foreground">{t(($) => $.list.body[channel])}</p>
      </div>
      <div className="mt-auto flex items-center justify-between gap-3 pt-1">
        <span className="text-[0.8125rem] text-muted-foreground">
          {count > 0 && t(($) => $.list.count[channel], { count })}
        </span>
        {/* The heading is the link; this only looks like one. */}
        <span
          aria-hidden="true"
          className={buttonClasses({ size: 'sm', variant: count > 0 ? 'secondary' : 'primary' })}
        >
          {count > 0 ? t(($) => $.list.open, { name }) : t(($) => $.list.connect[channel])}
        </span>
      </div>
    </Card>
  )
}
