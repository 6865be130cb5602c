// What is known of any connection at a glance. What only some channels know stands between.
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { AgentSummary } from '#shared/agents/agents.ts'
import type { ChannelConnection } from '#shared/channels/channels.ts'
import { CardSection } from '#web/components/ui/card.tsx'
import { DateTime, RelativeTime } from '#web/components/ui/date-time.tsx'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { paths } from '#web/lib/paths.ts'
import { Fact } from './fact.tsx'
import { StatusBadge } from './status-badge.tsx'

type StateSectionProps = {
  connection: ChannelConnection
  agent: AgentSummary | undefined
  /** Facts after the number of messages, and after the last of all. */
  children?: ReactNode
  below?: ReactNode
}

/** Live. */
export function StateSection({ connection, agent, children, below }: StateSectionProps) {
  const { t } = useTranslation('channels')
  return (
    <CardSection title={t(($) => $.connection.state)} actions={<StatusBadge connection={connection} />}>
      <dl className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Fact label={t(($) => $.connection.agent)}>
          {agent ? (
            <Link to={paths.agentSettings(agent.slug)} className="text-primary underline-offset-4 hover:underline">
              {agent.name}
            </Link>
          ) : (
            t(($) => $.telegram.deletedAgent)
          )}
        </Fact>
        <Fact label={t(($) => $.connection.processed)}>{formatNumber(connection.messagesProcessed)}</Fact>
        {children}
        <Fact label={t(($) => $.connection.linked)}>
          <DateTime at={connection.linkedAt} />
        </Fact>
        {below}
      </dl>
    </CardSection>
  )
}

/** How its messages come in. */
export function DeliveryFact({ connection, hint }: { connection: ChannelConnection; hint: string }) {
  const { t } = useTranslation('channels')
  return (
    <Fact label={t(($) => $.connection.delivery)} hint={hint}>
      {t(($) => $.delivery[connection.delivery])}
    </Fact>
  )
}

/** The end of a secret, or an id. */
export function CodeFact({ label, hint, code }: { label: string; hint?: string; code: string }) {
  return (
    <Fact label={label} hint={hint}>
      <code className="font-mono text-[0.8125rem]">{code}</code>
    </Fact>
  )
}

/** Null: it has never been so. */
export function MomentFact({ label, at }: { label: string; at: number | null }) {
  const { t } = useTranslation('channels')
  const never = <span className="text-muted-foreground">{t(($) => $.connection.never)}</span>
  return <Fact label={label}>{at === null ? never : <RelativeTime at={at} />}</Fact>
}
