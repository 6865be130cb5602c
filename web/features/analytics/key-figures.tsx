// The main numbers of the chosen days, each with its change, its meaning and a link to the conversations behind it.
import type { AnalyticsOverview, Figures } from '#shared/analytics/analytics.ts'
import type { Measured } from '#shared/analytics/links.ts'
import { formatNumber, formatPercent, formatUsd } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useBehind } from './analytics-context.tsx'
import { changeOf, shareOf } from './changes.rules.ts'
import { FigureCard } from './figure-card.tsx'
import { UnpricedLink } from './unpriced-link.tsx'
import { useLength } from './use-length.ts'

const COUNTS = ['conversations', 'resolved', 'handedOff', 'reopened', 'unanswered', 'didNotKnow'] as const

/** Six counts, two times, what customers thought, what was written, and two prices. */
export function KeyFigures({ overview }: { overview: AnalyticsOverview }) {
  const { t } = useTranslation('analytics')
  return (
    <section aria-label={t(($) => $.figures.label)}>
      <div className="grid grid-cols-2 gap-3 sm:gap-4 lg:grid-cols-3 xl:grid-cols-4 print:grid-cols-4">
        {COUNTS.map((what) => (
          <CountCard key={what} what={what} overview={overview} />
        ))}
        <TimeCard what="firstResponse" behind="answered" overview={overview} />
        <TimeCard what="resolution" behind="settled" overview={overview} />
        <RatingCard overview={overview} />
        <MessagesCard overview={overview} />
        <CostCard what="perConversation" overview={overview} />
        <CostCard what="perResolution" overview={overview} />
      </div>
    </section>
  )
}

type CardProps = { overview: AnalyticsOverview }

function useRange({ range }: AnalyticsOverview): (what: Measured) => string {
  const { ofPeriod } = useBehind()
  return (what) => ofPeriod(what, range)
}

function CountCard({ what, overview }: CardProps & { what: (typeof COUNTS)[number] }) {
  const { t } = useTranslation('analytics')
  const to = useRange(overview)
  const { figures, figuresBefore } = overview
  const share = what === 'conversations' ? null : shareOf(figures[what], figures.conversations)
  const again = figures.everReopened - figures.reopened
  return (
    <FigureCard
      what={what}
      value={formatNumber(figures[what])}
      to={to(what)}
      change={changeOf(figures[what], figuresBefore[what])}
      before={formatNumber(figuresBefore[what])}
    >
      {share !== null && <p>{t(($) => $.figures.share, { share: formatPercent(share) })}</p>}
      {what === 'reopened' && again > 0 && <p>{t(($) => $.figures.reopenedAlso, { value: formatNumber(again) })}</p>}
    </FigureCard>
  )
}

type TimeCardProps = CardProps & { what: 'firstResponse' | 'resolution'; behind: Measured }

function TimeCard({ what, behind, overview }: TimeCardProps) {
  const { t } = useTranslation('analytics')
  const lengthOf = useLength()
  const to = useRange(overview)
  const { medianMs, p90Ms, count } = overview.figures[what]
  const before = overview.figuresBefore[what].medianMs
  return (
    <FigureCard
      what={what}
      value={lengthOf(medianMs)}
      to={to(behind)}
      change={changeOf(medianMs, before)}
      before={lengthOf(before)}
    >
      {p90Ms !== null && <p>{t(($) => $.figures.p90, { time: lengthOf(p90Ms) })}</p>}
      <p>{t(($) => $.figures.of, { count, value: formatNumber(count) })}</p>
    </FigureCard>
  )
}

function RatingCard({ overview }: CardProps) {
  const { t } = useTranslation('analytics')
  const to = useRange(overview)
  const { average, count } = overview.figures.ratings
  const before = overview.figuresBefore.ratings.average
  const text = (value: number | null) =>
    value === null ? t(($) => $.figures.none) : t(($) => $.figures.ofFive, { value: formatNumber(value, 1) })
  return (
    <FigureCard
      what="rating"
      value={text(average)}
      to={to('rated')}
      change={changeOf(average, before)}
      before={text(before)}
    >
      <p>{t(($) => $.figures.rated, { count, value: formatNumber(count) })}</p>
    </FigureCard>
  )
}

function MessagesCard({ overview }: CardProps) {
  const { t } = useTranslation('analytics')
  const to = useRange(overview)
  const totalOf = ({ messages: { customer, agent, operator } }: Figures) => customer + agent + operator
  const { customer, agent, operator, conversations: written } = overview.figures.messages
  const total = totalOf(overview.figures)
  const before = totalOf(overview.figuresBefore)
  return (
    <FigureCard
      what="messages"
      value={formatNumber(total)}
      to={to('written')}
      change={changeOf(total, before)}
      before={formatNumber(before)}
    >
      <p>
        {t(($) => $.figures.writtenBy, {
          customer: formatNumber(customer),
          agent: formatNumber(agent),
          operator: formatNumber(operator),
        })}
      </p>
      <p>{t(($) => $.figures.inConversations, { count: written, value: formatNumber(written) })}</p>
    </FigureCard>
  )
}

function CostCard({ what, overview }: CardProps & { what: 'perConversation' | 'perResolution' }) {
  const { t } = useTranslation('analytics')
  const to = useRange(overview)
  const { cost } = overview.figures
  const before = overview.figuresBefore.cost[what]
  const text = (micro: number | null) => (micro === null ? t(($) => $.figures.none) : formatUsd(micro / 1e6))
  const isLeast = cost.unpricedCalls > 0 && cost[what] !== null
  return (
    <FigureCard
      what={what}
      value={isLeast ? t(($) => $.figures.atLeast, { value: text(cost[what]) }) : text(cost[what])}
      to={to(what === 'perConversation' ? 'conversations' : 'resolved')}
      change={changeOf(cost[what], before)}
      before={text(before)}
    >
      <p>{t(($) => $.figures.spent, { value: formatUsd(cost.microUsd / 1e6) })}</p>
      {cost.unpricedCalls > 0 && <UnpricedLink calls={cost.unpricedCalls} to={to('unpriced')} />}
    </FigureCard>
  )
}
