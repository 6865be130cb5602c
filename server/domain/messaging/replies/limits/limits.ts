// Whether the organization's hours, limits and plan allow an answer now. Checked after the gates, before the model is called.
// Costs no statement where nothing is limited.

import { isNewClosure, isOpenAt } from '#server/domain/agents/hours.rules.ts'
import { lockQuotas, markWarned, openQuotas, reserve } from '#server/domain/billing/quotas.store.ts'
import { lockConversation } from '#server/domain/messaging/conversations/lock-conversation.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { wallClock } from '#server/platform/lib/zoned-time.ts'
import { rememberNotice } from '../../conversations/writes/progress.store.ts'
import { addLine } from '../../conversations/writes/team-lines.store.ts'
import { FencedError } from '../../turns/finish.store.ts'
import { handoffNotice } from '../../turns/notice-text.ts'
import type { Refusal, RefusalReason } from '../../turns/outcome.ts'
import type { PipelineContext } from '../../turns/pipeline-context.ts'
import { keepsHours, momentOf } from '../../turns/rehearsal.rules.ts'
import type { TraceRecorder } from '../../turns/trace.ts'
import { dayOf, unanswered } from '../../turns/turn.rules.ts'
import type { Turn } from '../../turns/turn.ts'
import { isFirstAnswer, isToVisitor, judgeCrowd } from './crowd.rules.ts'
import { countVisitor } from './crowd.store.ts'
import { limitTextFor, waitTextFor } from './limit-text.ts'
import { judge, periodsOf, type Verdict } from './limits.rules.ts'
import { offlineText } from './offline.rules.ts'
import { wasNotifiedToday } from './spam.rules.ts'

/** Minimum time between two requests to a visitor to wait, milliseconds. */
const ASKED_TO_WAIT_MS = 15 * 60_000

/**
 * The first limit that stops the turn, or null: the turn then reserves what it will use until it ends.
 *
 * @throws FencedError when this process no longer owns the turn
 */
export async function checkLimits(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  now: number,
): Promise<Refusal | null> {
  const closed =
    checkSuspension(turn, trace, now) ??
    checkHours(turn, trace, momentOf(turn, now)) ??
    (await checkCrowd(ctx, turn, trace, now))
  if (closed) return closed
  const { gates, refusal } = await measure(ctx, turn, now)
  for (const { gate, hasPassed, facts } of gates) trace.gate(gate, hasPassed, facts)
  return refusal && refusalOf(turn, refusal, now)
}

/** Customers of a suspended organization get the text for customers at a limit, once a day. */
function checkSuspension(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  const { limits } = turn
  if (trace.gate('organization', !limits.isSuspended)) return null
  const reason = 'organization_suspended'
  const notice = limits.limitText || limitTextFor(limits.language, unanswered(turn).at(-1)?.text ?? '')
  return forKind(turn, { reason, isNotified: wasNotifiedToday(turn, reason, now), notice, handoff: null })
}

function checkHours(turn: Turn, trace: TraceRecorder, now: number): Refusal | null {
  const { timeZone, limits } = turn
  const { availability } = turn.agent.settings
  const isOpen = !keepsHours(turn) || isOpenAt(availability, timeZone, now)
  const { day, hour } = wallClock(now, timeZone)
  const own = offlineText(turn)
  const facts = availability.isLimited
    ? { day, hour, timeZone, ...(!isOpen && own !== '' && { hasOwnText: true }) }
    : {}
  if (trace.gate('availability', isOpen, facts)) return null
  const isNotified = !isNewClosure(availability, timeZone, limits.notices.outside_hours, now)
  const reason = 'outside_hours'
  switch (availability.outside) {
    case 'silent':
      return forKind(turn, { reason, isNotified, notice: own, handoff: null })
    case 'text':
      return forKind(turn, { reason, isNotified, notice: own || availability.text, handoff: null })
    case 'handoff':
      return forKind(turn, {
        reason,
        isNotified,
        notice: own || availability.text || handoffNotice(turn),
        handoff: 'availability',
      })
    default:
      return availability.outside satisfies never
  }
}

/** Limits the cost of anonymous visitors: so many per hour, by site and organization, are answered; the others are asked to wait. */
async function checkCrowd(
  ctx: PipelineContext,
  turn: Turn,
  trace: TraceRecorder,
  now: number,
): Promise<Refusal | null> {
  const { connection } = turn
  if (!connection || !isToVisitor(turn)) return null
  const isNew = isFirstAnswer(turn)
  const { site, organization } = await ctx.organization(turn.organizationId, (store) =>
    countVisitor(store, connection.id, isNew),
  )
  const { gate, hasPassed, facts } = judgeCrowd(isNew, site, organization)
  if (trace.gate(gate, hasPassed, facts)) return null
  const notifiedAt = turn.limits.notices.visitors_limit
  const isNotified = notifiedAt !== undefined && now - notifiedAt < ASKED_TO_WAIT_MS
  const notice = waitTextFor(turn.limits.language, unanswered(turn).at(-1)?.text ?? '')
  return forKind(turn, { reason: 'visitors_limit', isNotified, notice, handoff: null })
}

/** Judges the turn and takes what it needs in one transaction, so that parallel turns never take more than there is. */
async function measure(ctx: PipelineContext, turn: Turn, now: number): Promise<Verdict> {
  const periods = periodsOf(turn, now)
  const unmeasured = judge(turn, [], now)
  if (unmeasured.refusal || (periods.length === 0 && unmeasured.warnings.length === 0)) return unmeasured
  for (let isOpened = false; ; isOpened = true) {
    const verdict = await ctx.organization(turn.organizationId, (store) => measureHeld(store, turn, periods, now))
    if (verdict) return verdict
    if (isOpened) throw new Error('Periods that were opened are missing.')
    await ctx.organization(turn.organizationId, (store) => openQuotas(store, periods))
  }
}

/** @returns undefined when a period is not counted yet */
async function measureHeld(
  store: OrgStoreContext,
  turn: Turn,
  periods: string[],
  now: number,
): Promise<Verdict | undefined> {
  await lockConversation(store, turn.conversationId)
  const quotas = await lockQuotas(store, turn, periods)
  if (!quotas) throw new FencedError()
  if (quotas.length < periods.length) return undefined
  const verdict = judge(turn, quotas, now)
  const { reservation, warnings } = verdict
  if (reservation.month !== null || reservation.day !== null) await reserve(store, turn, reservation)
  for (const warning of warnings) {
    await addLine(store, turn.conversationId, { reason: warning })
    if (warning === 'agent_limit_near') await markWarned(store, `${dayOf(turn, now)} ${turn.agent.id}`)
    else await rememberNotice(store, turn, warning, now)
  }
  return verdict
}

function refusalOf(turn: Turn, reason: RefusalReason, now: number): Refusal {
  const { limits, agent } = turn
  const isNotified = wasNotifiedToday(turn, reason, now)
  if (reason === 'customer_limit' || reason === 'agent_limit') {
    return forKind(turn, { reason, isNotified, notice: agent.settings.spam.text, handoff: null })
  }
  if (limits.atLimit === 'handoff') {
    const notice = limits.limitText || handoffNotice(turn)
    return forKind(turn, { reason, isNotified, notice, handoff: 'limit' })
  }
  const question = unanswered(turn).at(-1)?.text ?? ''
  const notice = limits.limitText || limitTextFor(limits.language, question)
  return forKind(turn, { reason, isNotified, notice, handoff: null })
}

/** No customer is notified twice. One who asked nothing gets no notice and no handoff. */
function forKind(turn: Turn, refusal: Refusal): Refusal {
  if (turn.kind !== 'reply') return { reason: refusal.reason, notice: '', handoff: null, isNotified: true }
  return refusal.isNotified ? { ...refusal, notice: '' } : refusal
}
