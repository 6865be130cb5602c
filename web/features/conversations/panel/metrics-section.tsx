// What a conversation has come to, in figures.
import type { ReactNode } from 'react'
import type { ConversationMetrics } from '#shared/messaging/contacts.ts'
import type { OpenConversation } from '#shared/messaging/conversations.ts'
import { api } from '#web/api.ts'
import { formatDuration, formatNumber, formatSpan, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useQuery } from '#web/lib/server/convex.ts'

const MINUTE_MS = 60_000

/** Nothing until it is counted. */
export function MetricsSection({ conversation }: { conversation: OpenConversation }) {
  const { t } = useTranslation('conversations')
  const metrics: ConversationMetrics | undefined = useQuery(api.conversations.contacts.metrics, {
    conversationId: conversation._id,
  })
  if (!metrics) return null
  const { messages, costMicroUsd, costs, unpricedCalls } = metrics
  return (
    <section className="flex flex-col gap-3 border-border border-t pt-4">
      <h3 className="font-semibold">{t(($) => $.metrics.title)}</h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 text-sm">
        <Figure label={t(($) => $.metrics.customer)}>{formatNumber(messages.customer)}</Figure>
        <Figure label={t(($) => $.metrics.agent)}>{formatNumber(messages.agent)}</Figure>
        <Figure label={t(($) => $.metrics.operator)}>{formatNumber(messages.operator)}</Figure>
        <Figure label={t(($) => $.metrics.duration)}>{time(metrics.durationMs)}</Figure>
        <Figure label={t(($) => $.metrics.firstResponse)}>{time(metrics.firstResponseMs)}</Figure>
        <Figure label={t(($) => $.metrics.medianResponse)}>{time(metrics.medianResponseMs)}</Figure>
        <Figure label={t(($) => $.metrics.tokens)}>
          {formatNumber(metrics.inputTokens)} / {formatNumber(metrics.outputTokens)}
        </Figure>
        <Figure label={t(($) => $.metrics.cost)}>
          {formatUsd(costMicroUsd / 1e6)}
          {costs.map((each) => (
            <span key={each.purpose} className="block text-muted-foreground text-xs">
              {t(($) => $.metrics.costs[each.purpose], { cost: formatUsd(each.costMicroUsd / 1e6) })}
            </span>
          ))}
          {unpricedCalls > 0 && (
            <span className="block text-muted-foreground text-xs">
              {t(($) => $.metrics.unpriced, { number: formatNumber(unpricedCalls) })}
            </span>
          )}
        </Figure>
        {conversation.rating && (
          <Figure label={t(($) => $.metrics.rating)}>
            {t(($) => $.metrics.ofFive, { score: conversation.rating.score })}
          </Figure>
        )}
      </dl>
    </section>
  )
}

function Figure({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted-foreground text-xs">{label}</dt>
      <dd className="tabular-nums">{children}</dd>
    </div>
  )
}

function time(ms: number | null): string {
  if (ms === null) return '–'
  return ms < MINUTE_MS ? formatDuration(ms) : formatSpan(ms)
}
