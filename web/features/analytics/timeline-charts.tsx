// What became of the conversations begun in each hour, day, week or month, and what was written in it.
import type { AnalyticsOverview, Bar } from '#shared/analytics/analytics.ts'
import { formatNumber } from '#web/lib/format.ts'
import { useTranslation } from '#web/lib/i18n.ts'
import { useAsked, useBehind } from './analytics-context.tsx'
import { ChartSection } from './charts/chart-section.tsx'
import { Legend } from './charts/legend.tsx'
import { type Column, NumbersTable } from './charts/numbers-table.tsx'
import { StackedBars } from './charts/stacked-bars.tsx'
import { useBarName } from './use-bar-name.ts'

const OUTCOMES = [
  { key: 'resolved', fill: 'solid' },
  { key: 'handedOff', fill: 'lines' },
  { key: 'reopened', fill: 'dots' },
  { key: 'unanswered', fill: 'grey' },
] as const
const WRITERS = [
  { key: 'customer', fill: 'grey' },
  { key: 'agent', fill: 'solid' },
  { key: 'operator', fill: 'lines' },
] as const

type ChartProps = { overview: AnalyticsOverview }

/** Each bar leads to the conversations begun in it, each number of its table to those with that outcome. */
export function OutcomeChart({ overview: { bars, figures, range, timeZone } }: ChartProps) {
  const { t } = useTranslation('analytics')
  const { ofPeriod } = useBehind()
  const { interval } = useAsked()
  const nameOf = useBarName(interval, timeZone)
  const title = t(($) => $.charts.timeline)
  const columns: Column<Bar>[] = [
    {
      key: 'conversations',
      label: t(($) => $.figures.name.conversations),
      value: (bar) => formatNumber(bar.conversations),
      to: (bar) => ofPeriod('conversations', bar),
    },
    ...OUTCOMES.map(({ key }) => ({
      key,
      label: t(($) => $.figures.name[key]),
      value: (bar: Bar) => formatNumber(bar[key]),
      to: (bar: Bar) => ofPeriod(key, bar),
    })),
  ]
  return (
    <ChartSection
      id="timeline"
      file="timeline"
      title={title}
      hint={t(($) => $.charts.timelineHint)}
      isEmpty={figures.conversations === 0}
      chart={
        <>
          <Legend
            items={OUTCOMES.map(({ key, fill }) => ({
              key,
              fill,
              label: t(($) => $.figures.name[key]),
              value: formatNumber(figures[key]),
              to: ofPeriod(key, range),
            }))}
          />
          <StackedBars
            label={t(($) => $.chart.keys, { title })}
            series={[...OUTCOMES]}
            bars={bars.map((bar) => ({
              key: String(bar.start),
              values: {
                resolved: bar.resolved,
                handedOff: bar.handedOff,
                reopened: bar.reopened,
                unanswered: bar.unanswered,
              },
              tick: nameOf(bar, 'short'),
              words: t(($) => $.charts.outcomeWords, { name: nameOf(bar, 'long'), ...wordsOf(bar) }),
              to: ofPeriod('conversations', bar),
            }))}
          />
        </>
      }
      table={<BarTable title={title} bars={bars} columns={columns} nameOf={(bar) => nameOf(bar, 'long')} />}
    />
  )

  function wordsOf({ conversations, resolved, handedOff, reopened, unanswered }: Bar) {
    const all = { conversations, resolved, handedOff, reopened, unanswered }
    return Object.fromEntries(Object.entries(all).map(([key, value]) => [key, formatNumber(value)])) as Record<
      keyof typeof all,
      string
    >
  }
}

/** Each bar leads to the conversations in which something was written in it. */
export function MessageChart({ overview: { bars, figures, timeZone } }: ChartProps) {
  const { t } = useTranslation('analytics')
  const { ofPeriod } = useBehind()
  const { interval } = useAsked()
  const nameOf = useBarName(interval, timeZone)
  const title = t(($) => $.charts.messages)
  const { customer, agent, operator } = figures.messages
  const columns: Column<Bar>[] = WRITERS.map(({ key }) => ({
    key,
    label: t(($) => $.writers[key]),
    value: (bar: Bar) => formatNumber(bar.messages[key]),
    to: (bar: Bar) => ofPeriod('written', bar),
  }))
  return (
    <ChartSection
      id="messages"
      file="timeline"
      title={title}
      hint={interval === 'hour' ? t(($) => $.charts.messagesHourHint) : t(($) => $.charts.messagesHint)}
      isEmpty={customer + agent + operator === 0}
      chart={
        <>
          <Legend
            items={WRITERS.map(({ key, fill }) => ({
              key,
              fill,
              label: t(($) => $.writers[key]),
              value: formatNumber(figures.messages[key]),
              to: null,
            }))}
          />
          <StackedBars
            label={t(($) => $.chart.keys, { title })}
            series={[...WRITERS]}
            bars={bars.map((bar) => ({
              key: String(bar.start),
              values: bar.messages,
              tick: nameOf(bar, 'short'),
              words: t(($) => $.charts.messageWords, {
                name: nameOf(bar, 'long'),
                customer: formatNumber(bar.messages.customer),
                agent: formatNumber(bar.messages.agent),
                operator: formatNumber(bar.messages.operator),
              }),
              to: ofPeriod('written', bar),
            }))}
          />
        </>
      }
      table={<BarTable title={title} bars={bars} columns={columns} nameOf={(bar) => nameOf(bar, 'long')} />}
    />
  )
}

type BarTableProps = { title: string; bars: Bar[]; columns: Column<Bar>[]; nameOf: (bar: Bar) => string }

/** The bars of a timeline, a row each. */
function BarTable({ title, bars, columns, nameOf }: BarTableProps) {
  const { t } = useTranslation('analytics')
  return (
    <NumbersTable
      caption={title}
      head={t(($) => $.chart.time)}
      rows={bars}
      columns={columns}
      rowKey={(bar) => String(bar.start)}
      rowName={nameOf}
    />
  )
}
