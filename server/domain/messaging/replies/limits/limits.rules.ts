// Whether limits leave room for one more answer: those of a day, and the money and messages of a calendar month. Decisions only;
// what is used is counted in billing's quotas.
import type { Quota, Reservation } from '#server/domain/billing/quotas.store.ts'
import type { TraceGate } from '#shared/messaging/trace.ts'
import type { LimitGate, LimitWarning, RefusalReason } from '../../turns/outcome.ts'
import { isTest } from '../../turns/rehearsal.rules.ts'
import { dayOf } from '../../turns/turn.rules.ts'
import type { Turn } from '../../turns/turn.ts'
import { farDay, isDayMeasured, judgeSpam, takenOf, warningsOf } from './spam.rules.ts'

/** What follows from the limits. `gates`: in their order, up to the one that stopped the turn. */
export type Verdict = {
  gates: LimitGate[]
  refusal: RefusalReason | null
  reservation: Reservation
  warnings: LimitWarning[]
}

/** Periods that measure a turn: the organization's month, the agent's, the agent's day. Undefined: nothing limits it. */
type Measured<Value> = { month: Value | undefined; agentMonth: Value | undefined; agentDay: Value | undefined }

/** The periods that have to be known before a turn is judged; most agents need none. */
export function periodsOf(turn: Turn, now: number): string[] {
  return Object.values(measuresOf(turn, now)).filter((period) => period !== undefined)
}

/** Judges a turn by its periods as they are now. A turn that holds an answer from an earlier try passes with it. */
export function judge(turn: Turn, quotas: readonly Quota[], now: number): Verdict {
  const periods = measuresOf(turn, now)
  const quotaOf = (period: string | undefined) => quotas.find((quota) => quota.period === period)
  const agentDay = quotaOf(periods.agentDay) ?? farDay(turn, now)
  const month = quotaOf(periods.month)
  const all = [
    judgeSpam(turn, agentDay, now),
    judgeSpending(turn, month, quotaOf(periods.agentMonth)),
    judgeAllowance(turn, month),
  ]
  const stopped = all.findIndex((gate) => !gate.hasPassed)
  if (stopped >= 0) {
    const refusal = all[stopped]?.reason ?? null
    return { gates: all.slice(0, stopped + 1), refusal, reservation: { month: null, day: null }, warnings: [] }
  }
  const reservation = {
    month: needsAllowance(turn) ? (periods.month ?? null) : null,
    day: turn.limits.reservedDay === null && !isTest(turn) ? (periods.agentDay ?? null) : null,
  }
  return { gates: all, refusal: null, reservation, warnings: isTest(turn) ? [] : warningsOf(turn, agentDay, now) }
}

function measuresOf(turn: Turn, now: number): Measured<string> {
  const { agent, limits } = turn
  const day = dayOf(turn, now)
  const month = day.slice(0, 7)
  const { spending } = agent.settings
  return {
    month: limits.monthlySpendMicroUsd !== null || needsAllowance(turn) ? month : undefined,
    agentMonth: spending.monthlyLimitUsd !== null ? `${month} ${agent.id}` : undefined,
    agentDay: isDayMeasured(turn, now) ? `${day} ${agent.id}` : undefined,
  }
}

/** Whether the turn has to take an answer from the allowance before the model is asked. */
function needsAllowance({ limits }: Turn): boolean {
  return limits.allowance !== null && limits.atLimit !== 'overage' && limits.reservedMonth === null
}

/** Calls without a known price cost an unknown sum: they are reported in addition to the known spending. */
function judgeSpending({ agent, limits }: Turn, month: Quota | undefined, agentMonth: Quota | undefined): LimitGate {
  const { monthlySpendMicroUsd } = limits
  const { monthlyLimitUsd } = agent.settings.spending
  const isWithin = monthlySpendMicroUsd === null || !month || month.costMicroUsd < monthlySpendMicroUsd
  const isAgentWithin = monthlyLimitUsd === null || !agentMonth || agentMonth.costMicroUsd < monthlyLimitUsd * 1e6
  const facts: TraceGate['facts'] = {
    ...(monthlySpendMicroUsd !== null && month && usd('spentUsd', month, 'limitUsd', monthlySpendMicroUsd / 1e6)),
    ...(monthlyLimitUsd !== null && agentMonth && usd('agentSpentUsd', agentMonth, 'agentLimitUsd', monthlyLimitUsd)),
  }
  return { gate: 'spending', hasPassed: isWithin && isAgentWithin, facts, reason: 'spending_limit' }
}

function usd(spentName: string, quota: Quota, limitName: string, limitUsd: number): TraceGate['facts'] {
  return {
    [spentName]: quota.costMicroUsd / 1e6,
    [limitName]: limitUsd,
    ...(quota.unpricedCalls > 0 && { unpricedCalls: quota.unpricedCalls }),
  }
}

function judgeAllowance(turn: Turn, month: Quota | undefined): LimitGate {
  const { allowance, atLimit, reservedMonth } = turn.limits
  const gate = { gate: 'allowance', reason: 'allowance_used_up' } as const
  if (allowance === null) return { ...gate, hasPassed: true, facts: {} }
  if (atLimit === 'overage') return { ...gate, hasPassed: true, facts: { allowance, isOverage: true } }
  if (!needsAllowance(turn)) return { ...gate, hasPassed: true, facts: { allowance, reservedMonth } }
  const hasPassed = !month || takenOf(month) < allowance
  return { ...gate, hasPassed, facts: { allowance, ...(month && { used: month.used, reserved: month.reserved }) } }
}
