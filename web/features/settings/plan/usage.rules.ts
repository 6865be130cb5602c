// What the plan page reads off an overview of usage: messages of smaller channels, and how long the month's messages last.
import type { UsageOverview } from '#shared/organizations/billing.ts'

/** Whole days whose pace tells how long the rest lasts. */
const PACE_DAYS = 7

/** Messages of channels that are not among those listed. */
export function otherChannels({ totals, channels }: Pick<UsageOverview, 'totals' | 'channels'>): number {
  return Math.max(0, totals.messages - channels.reduce((all, { messages }) => all + messages, 0))
}

/** Whether the days of an overview are exactly the calendar month of the allowance so far. */
export function isCalendarMonth({ timeline, period }: Pick<UsageOverview, 'timeline' | 'period'>): boolean {
  return timeline[0]?.key === `${period.key}-01`
}

/** The first day of the month after `YYYY-MM`: the allowance is full again. */
export function renewalDay(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return dayOf(Date.UTC(year, number, 1))
}

/** Whether what remains lasts until the allowance is full again, and if not, the day on which it ends, `YYYY-MM-DD`. */
type Outlook = { endsOn: string | null }

/**
 * How long the rest of the month's messages lasts at the pace of the last seven whole days, or of as many as there are since the first
 * message. Null without an allowance, when it is used up, and before there is a whole day with messages.
 */
export function outlookOf({
  totals,
  timeline,
  period,
}: Pick<UsageOverview, 'totals' | 'timeline' | 'period'>): Outlook | null {
  const today = timeline.at(-1)
  if (totals.remaining === null || totals.remaining === 0 || !today) return null
  const whole = timeline.slice(-PACE_DAYS - 1, -1)
  const counted = whole.slice(whole.findIndex(({ messages }) => messages > 0))
  const sent = counted.reduce((all, { messages }) => all + messages, 0)
  if (sent <= 0) return null
  const daysLeft = Math.floor((totals.remaining * counted.length) / sent)
  const endsOn = dayOf(Date.parse(today.key) + daysLeft * 86_400_000)
  return { endsOn: endsOn < renewalDay(period.key) ? endsOn : null }
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}
