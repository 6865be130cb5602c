// Daily limits: how many answers a customer and an agent may have, and when the team is warned. Decisions only.
import { warningAt } from '#server/domain/billing/billing.rules.ts'
import type { Quota } from '#server/domain/billing/quotas.store.ts'
import type { LimitGate, LimitWarning, RefusalReason } from '../../turns/outcome.ts'
import { keepsDailyLimits } from '../../turns/rehearsal.rules.ts'
import { dayOf } from '../../turns/turn.rules.ts'
import type { Turn } from '../../turns/turn.ts'

/** Answers that turns under way at once may give without a day that is far from its limit being passed by them. */
const UNDER_WAY_AT_MOST = 200

/** Whether the turn has to hold the agent's day while it is judged: it is limited, and its limit or its warning may be near. */
export function isDayMeasured(turn: Turn, now: number): boolean {
  return turn.agent.settings.spam.agentDailyLimit !== null && keepsDailyLimits(turn) && !farDay(turn, now)
}

/**
 * The agent's day as the turn has read it, where it is so far from the limit and the warning that nothing has to be held or reserved:
 * an ordinary day costs an answer no transaction. Undefined: it is not, or nothing limits it.
 */
export function farDay(turn: Turn, now: number): Quota | undefined {
  const { agentDailyLimit, warningPercent } = turn.agent.settings.spam
  const { agentDay, reservedDay } = turn.limits
  if (agentDailyLimit === null || !agentDay || reservedDay !== null || !keepsDailyLimits(turn)) return undefined
  if (agentDay.period !== `${dayOf(turn, now)} ${turn.agent.id}`) return undefined
  const near = agentDay.isWarned
    ? agentDailyLimit
    : Math.min(agentDailyLimit, warningAt(agentDailyLimit, warningPercent))
  return takenOf(agentDay) + UNDER_WAY_AT_MOST < near ? agentDay : undefined
}

/** Whether this notice or warning was sent in the conversation today. */
export function wasNotifiedToday(turn: Turn, what: RefusalReason | LimitWarning, now: number): boolean {
  const notifiedAt = turn.limits.notices[what]
  return notifiedAt !== undefined && dayOf(turn, notifiedAt) === dayOf(turn, now)
}

/** Whether the day leaves room for one more answer. An agent's day is counted only when it is limited. */
export function judgeSpam(turn: Turn, agentDay: Quota | undefined, now: number): LimitGate {
  const { agentDailyLimit } = turn.agent.settings.spam
  const customerLimit = customerLimitOf(turn)
  const answers = answersToday(turn, now)
  const isCustomerIn = customerLimit === null || answers < customerLimit
  const isAgentIn =
    !agentDay || agentDailyLimit === null || turn.limits.reservedDay !== null || takenOf(agentDay) < agentDailyLimit
  return {
    gate: 'spam',
    hasPassed: isCustomerIn && isAgentIn,
    reason: isCustomerIn ? 'agent_limit' : 'customer_limit',
    facts: {
      ...(customerLimit !== null && { customerAnswers: answers, customerLimit }),
      ...(agentDay && { agentAnswers: takenOf(agentDay), agentLimit: agentDailyLimit }),
    },
  }
}

/** Warnings for the team when the turn gets its answer: the limits that are near from now on. */
export function warningsOf(turn: Turn, agentDay: Quota | undefined, now: number): LimitWarning[] {
  const { agentDailyLimit, warningPercent } = turn.agent.settings.spam
  const customerLimit = customerLimitOf(turn)
  const isNear = (answers: number, limit: number) => answers >= warningAt(limit, warningPercent)
  const warnings: LimitWarning[] = []
  if (customerLimit !== null && isNear(answersToday(turn, now) + 1, customerLimit)) {
    if (!wasNotifiedToday(turn, 'customer_limit_near', now)) warnings.push('customer_limit_near')
  }
  if (agentDay && agentDailyLimit !== null && !agentDay.isWarned && isNear(takenOf(agentDay) + 1, agentDailyLimit)) {
    warnings.push('agent_limit_near')
  }
  return warnings
}

/** What is counted of a period, open turns included. */
export function takenOf({ used, reserved }: Quota): number {
  return used + reserved
}

function customerLimitOf(turn: Turn): number | null {
  return keepsDailyLimits(turn) ? turn.agent.settings.spam.customerDailyLimit : null
}

function answersToday(turn: Turn, now: number): number {
  const { answersOn, answersCount } = turn.limits
  return answersOn === dayOf(turn, now) ? answersCount : 0
}
