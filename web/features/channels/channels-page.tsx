// /channels: the channels through which customers can write, by kind (`?category=`), of one agent (`?agentSlug=`) or of all.
import { Plug } from 'lucide-react'
import { parseAsStringLiteral, useQueryState } from 'nuqs'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { Channel, ChannelConnection, ChannelSlots } from '#shared/channels/channels.ts'
import { CHANNELS } from '#shared/channels/manifests.ts'
import { api } from '#web/api.ts'
import { buttonClasses } from '#web/components/ui/button.tsx'
import { Delayed } from '#web/components/ui/delayed.tsx'
import { EmptyState } from '#web/components/ui/empty-state.tsx'
import { Page } from '#web/components/ui/page.tsx'
import { Skeleton } from '#web/components/ui/skeleton.tsx'
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#web/components/ui/tabs.tsx'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { useQuery } from '#web/lib/server/convex.ts'
import { AgentFilter } from './agent-filter.tsx'
import { CATEGORIES, type Category, channelsOf } from './catalogue.ts'
import { ChannelCard } from './channel-card.tsx'
import { useAgentFilter } from './use-agent-filter.ts'

const GRID = 'grid gap-4 sm:grid-cols-2 xl:grid-cols-3'

/** One card for each channel with its summary state, live. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const connections: ChannelConnection[] | undefined = useQuery(api.channelConnections.list, {})
  const agents: AgentSummary[] | undefined = useQuery(api.agents.list, {})
  const [category, setCategory] = useQueryState('category', parseAsStringLiteral(CATEGORIES).withDefault('all'))
  const { agent, search, clear, filter } = useAgentFilter(agents)
  const left: Channel[] | undefined = useQuery(api.channelConnections.left, agent ? { agentId: agent._id } : {})
  const slots: ChannelSlots | undefined = useQuery(api.channelConnections.slots, {})
  return (
    <Page title={t(($) => $.list.title)} description={t(($) => $.list.subtitle)}>
      <AgentFilter agent={agent} onClear={clear} />
      <Tabs
        value={category}
        onValueChange={(next) => void setCategory(CATEGORIES.find((each) => each === next) ?? null)}
      >
        <TabsList aria-label={t(($) => $.list.categories)}>
          {CATEGORIES.map((each) => (
            <TabsTrigger key={each} value={each}>
              {t(($) => $.list.category[each])}
            </TabsTrigger>
          ))}
        </TabsList>
        <TabsContent value={category}>
          {connections && agents && left && slots ? (
            <Cards {...{ category, left, slots, search }} connections={filter(connections)} />
          ) : (
            <Delayed>
              <div className={GRID}>
                {channelsOf(category).map(({ channel }) => (
                  <Skeleton key={channel} className="h-44 rounded-xl" />
                ))}
              </div>
            </Delayed>
          )}
        </TabsContent>
      </Tabs>
      <p className="text-[0.8125rem] text-muted-foreground">{slots && <CostNote slots={slots} />}</p>
    </Page>
  )
}

function CostNote({ slots: { used, allowed } }: { slots: ChannelSlots }) {
  const { t } = useTranslation('channels')
  return allowed === null ? t(($) => $.list.costNote) : t(($) => $.list.costNoteSlots, { used, allowed })
}

type CardsProps = {
  category: Category
  connections: ChannelConnection[]
  left: Channel[]
  slots: ChannelSlots
  search: string
}

function Cards({ category, connections, left, slots, search }: CardsProps) {
  const { t } = useTranslation('channels')
  const entries = channelsOf(category)
  if (entries.length === 0) {
    return (
      <EmptyState
        icon={Plug}
        title={t(($) => $.list.emptyTitle)}
        description={t(($) => $.list.emptyBody)}
        action={
          <Link to={{ pathname: paths.channelSetup('http'), search }} className={buttonClasses()}>
            {t(($) => $.list.connect.http)}
          </Link>
        }
      />
    )
  }
  return (
    <ul className={GRID}>
      {entries.map((entry) => (
        <li key={entry.channel}>
          <ChannelCard
            entry={entry}
            connections={connections.filter(({ channel }) => channel === entry.channel)}
            wasConnected={left.includes(entry.channel)}
            takesSlot={slots.allowed !== null && CHANNELS[entry.channel].takesSlot}
            search={search}
          />
        </li>
      ))}
    </ul>
  )
}
