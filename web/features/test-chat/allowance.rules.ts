// Whether a tester is about to run out of messages: of the plan's monthly ones, or of the agent's daily limits.
import type { AgentSettings } from '#shared/agents/agent-settings.ts'
import type { UsageOverview } from '#shared/organizations/billing.ts'

/** What is left of a nearly exhausted allowance, and the day on which it resets, `YYYY-MM-DD`. */
export type NearLimit = { remaining: number; resetsOn: string }

/** Null while enough is left, or without a limit. */
export function nearLimit({
  totals,
  thresholds,
  period,
}: Pick<UsageOverview, 'totals' | 'thresholds' | 'period'>): NearLimit | null {
  if (totals.remaining === null || thresholds.status === 'ok') return null
  return { remaining: Math.max(0, totals.remaining), resetsOn: nextMonth(period.key) }
}

/** Answers given on a day, `YYYY-MM-DD`. */
export type AnsweredDay = { day: string; answers: number }
/** What is left of a daily limit: of all answers of the agent, or of those to one customer. */
export type NearDailyLimit = { of: 'agent' | 'customer'; remaining: number }

/**
 * The daily limit that will be reached first, once the agent's warning threshold is passed; null before that.
 *
 * @param today in the organization's time zone, `YYYY-MM-DD`
 * @param answered by the agent to its customers, and in the tester's own chat
 */
export function nearDailyLimit(
  spam: Pick<AgentSettings['spam'], 'agentDailyLimit' | 'customerDailyLimit' | 'warningPercent'>,
  today: string,
  answered: Record<NearDailyLimit['of'], AnsweredDay | undefined>,
): NearDailyLimit | null {
  const limits = { agent: spam.agentDailyLimit, customer: spam.customerDailyLimit }
  const near = (['customer', 'agent'] as const).flatMap((of) => {
    const limit = limits[of]
    const answers = answered[of]?.day === today ? answered[of].answers : 0
    if (limit === null || answers < Math.ceil((limit * spam.warningPercent) / 100)) return []
    return [{ of, remaining: Math.max(0, limit - answers) }]
  })
  return near.sort((one, other) => one.remaining - other.remaining)[0] ?? null
}

function nextMonth(key: string): string {
  const [year = 0, month = 1] = key.split('-').map(Number)
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}
