// One agent in the list: who it is, what it runs on, what it knows and where it answers.

import { BookOpen, Gauge, MessageCircle, Settings } from 'lucide-react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ModelInfo } from '#shared/agents/models.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import type { AgentDay } from '#shared/organizations/billing.ts'
import { ChannelIcon } from '#web/components/channel-icon.tsx'
import { Avatar } from '#web/components/ui/avatar.tsx'
import { Badge } from '#web/components/ui/badge.tsx'
import { Button, buttonClasses } from '#web/components/ui/button.tsx'
import { Card } from '#web/components/ui/card.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { connectionName } from '#web/lib/server/connections.ts'
import { May } from '#web/lib/sign-in/permissions.tsx'

type AgentCardProps = {
  agent: AgentSummary
  model: ModelInfo | undefined
  connections: ChannelConnection[]
  /** Today, when it is limited. */
  day: AgentDay | undefined
}

const TONES = { connected: 'success', pending: 'neutral', error: 'destructive', disconnected: 'neutral' } as const

/** The whole card leads to the settings; a button of its own leads to the test chat. */
export function AgentCard({ agent, model, connections, day }: AgentCardProps) {
  const { t } = useTranslation('agents')
  const spaces = agent.knowledgeSpaceIds.length
  return (
    <Card className="relative flex h-full flex-col gap-4 p-5 transition-shadow hover:shadow-raised">
      <div className="flex items-center gap-3">
        <Avatar avatar={agent.avatar} name={agent.name} className="size-11 text-sm" />
        <div className="min-w-0 flex-1">
          <h2 className="truncate font-semibold">
            <Link
              to={paths.agentSettings(agent.slug)}
              aria-label={t(($) => $.list.openSettings, { name: agent.name })}
              className="link-cover"
            >
              {agent.name}
            </Link>
          </h2>
          <p className="truncate text-[0.8125rem] text-muted-foreground">{model?.label ?? agent.model}</p>
        </div>
      </div>
      <div className="mt-auto flex flex-wrap items-center gap-1.5">
        <Badge tone={spaces ? 'primary' : 'warning'}>
          <BookOpen aria-hidden="true" />
          {spaces ? t(($) => $.list.knowledge, { count: spaces }) : t(($) => $.list.noKnowledge)}
        </Badge>
        {connections.map((connection) => (
          <Badge key={connection._id} tone={TONES[connection.status]} className="min-w-0 max-w-full">
            <ChannelIcon channel={connection.channel} />
            <span className="truncate">{connectionName(connection)}</span>
            <span className="sr-only">{t(($) => $.connectionStatus[connection.status])}</span>
          </Badge>
        ))}
        {day && <DayBadge day={day} />}
        {connections.length === 0 && <Badge>{t(($) => $.list.noChannels)}</Badge>}
      </div>
      <div className="-mx-5 -mb-5 flex border-border border-t px-3 py-2">
        <May need="agents.test">
          <Button asChild size="sm" variant="ghost" className="relative z-10">
            <Link to={paths.agentTest(agent.slug)} aria-label={t(($) => $.list.openTest, { name: agent.name })}>
              <MessageCircle aria-hidden="true" />
              {t(($) => $.list.test)}
            </Link>
          </Button>
        </May>
        <span aria-hidden="true" className={buttonClasses({ size: 'sm', variant: 'ghost', className: 'ms-auto' })}>
          <Settings />
          {t(($) => $.list.settings)}
        </span>
      </div>
    </Card>
  )
}

/** Renders nothing while the limit is far off. */
function DayBadge({ day: { status, answers, limit } }: { day: AgentDay }) {
  const { t } = useTranslation('agents')
  if (status === 'ok') return null
  return (
    <Badge tone={status === 'reached' ? 'destructive' : 'warning'}>
      <Gauge aria-hidden="true" />
      {t(($) => $.list[status === 'reached' ? 'dayReached' : 'dayNear'], {
        answers: formatNumber(answers),
        limit: formatNumber(limit),
      })}
    </Badge>
  )
}
