// Runs attack checks in the background, a few answers at a time. A check that was broken off goes on with the cases that are left.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { type Room, withRoom } from '#server/domain/billing/room.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { runAtOnce } from '#server/platform/lib/scheduling/at-once.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import { appErrorData } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { AttackCase } from '#shared/messaging/attack-checks.ts'
import type { AnsweringContext, PipelineContext } from '../turns/pipeline-context.ts'
import { scrubText } from '../turns/trace.ts'
import * as store from './attack-checks.store.ts'
import { type Attempt, attempt, findCarriers } from './attempt.ts'
import { type PlannedCase, plan, textsOf } from './carriers.ts'
import { judge } from './outcome.rules.ts'
import { findSubject, type Subject } from './subject.store.ts'

type Parts = PipelineContext['services']
type Asked = { organizationId: Id<'organizations'>; checkId: Id<'attackChecks'> }
/** How a check ends. Cancelled ones have ended before. */
type End = { status: 'done' | 'cancelled' } | { status: 'failed'; reason: string }
type Run = Asked & {
  ctx: AnsweringContext
  subject: Subject
  signal: AbortSignal
  end(end: End): void
  /** Failures of the model or its provider since the last answer. */
  failures: number
}

/** Answers of one check that are made at once: its agent's customers wait for the same model. */
const AT_ONCE = 2
/** Failures that an attack may have brought about: the next one may do better. */
const OF_ONE_CASE = new Set(['filtered', 'bad_answer', 'cut', 'empty', 'tool_loop', 'too_long'])
/** So many others one after another are no chance. */
const FAILURES_MAX = 3
const ANSWER_KEPT = 2000
/** Errors that end a check, and how messages name the reason. */
const NO_ROOM: Record<string, string> = {
  allowance_used_up: 'allowance_used_up',
  spending_limit_reached: 'spending_limit',
}
const log = createLogger('warn')

export const attackCheckJob = defineJob<Asked, Parts>({
  name: 'pipeline.attack-check',
  limitSeconds: 3600,
  concurrency: 2,
  run: (services, asked, signal) => runCheck(contextOf(services), asked, signal),
})

async function runCheck(ctx: AnsweringContext, asked: Asked, signal: AbortSignal): Promise<void> {
  const { organizationId, checkId } = asked
  const found = await ctx.read(organizationId, async (read) => {
    const open = await store.findOpen(read, checkId)
    return open && { open, subject: await findSubject(read, open.agentId), done: await store.listDone(read, checkId) }
  })
  if (!found) return
  const { open, subject, done } = found
  const finish = (end: End) =>
    ctx.organization(organizationId, (write) => store.endCheck(write, checkId, { ...end, now: new Date() }))
  const refusal = subject ? subject.isSuspended && 'organization_suspended' : 'not_found'
  if (!subject || refusal) return void (await finish({ status: 'failed', reason: refusal || 'not_found' }))
  const ended = new AbortController()
  const end = (how: End) => ended.abort(how)
  const run: Run = { ...asked, ctx, subject, end, signal: AbortSignal.any([signal, ended.signal]), failures: 0 }
  const carriers = open.carriers ?? (await findCarriers(run))
  const cases = plan(carriers, open.size)
  await ctx.organization(organizationId, (write) => store.setPlan(write, checkId, { carriers, total: cases.length }))
  const left = cases.filter(({ number }) => !done.has(number))
  const errors = await runAtOnce(left, { atOnce: AT_ONCE, signal: run.signal, run: (each) => tryCase(run, each) })
  signal.throwIfAborted()
  if (!ended.signal.aborted && errors.length > 0) throw new AggregateError(errors, 'some attacks were not tried')
  await finish(ended.signal.aborted ? (ended.signal.reason as End) : { status: 'done' })
}

/** One case, and the message that it costs. */
async function tryCase(run: Run, planned: PlannedCase): Promise<void> {
  const { ctx, organizationId, subject } = run
  const payer = { id: subject.agent.id, monthlyLimitUsd: subject.agent.settings.spending.monthlyLimitUsd }
  const asking = {
    now: new Date(),
    read: <T>(read: Parameters<typeof ctx.read<T>>[1]) => ctx.read(organizationId, read),
    write: <T>(write: Parameters<typeof ctx.organization<T>>[1]) => ctx.organization(organizationId, write),
  }
  try {
    await withRoom(asking, payer, async (room) => note(run, planned, await attempt(run, planned), room))
  } catch (error) {
    const reason = NO_ROOM[appErrorData(error)?.code ?? '']
    if (!reason) throw error
    run.end({ status: 'failed', reason })
  }
}

/** In one transaction: what became of the attack, and what it has cost. */
async function note(run: Run, planned: PlannedCase, tried: Attempt, room: Room): Promise<void> {
  const { ctx, organizationId, checkId, subject } = run
  const { call, failure } = tried
  const now = new Date()
  const isRunning = await ctx.organization(organizationId, async (write) => {
    const event = { sourceId: newId(), agentId: subject.agent.id, category: 'test_message', channel: 'test' } as const
    if (call) await recordUsage(write, { ...event, messages: 1, call, occurredAt: now })
    if (call) await room.settle(write)
    return store.insertCase(write, checkId, caseOf(run, planned, tried), { costMicroUsd: call?.costMicroUsd ?? 0, now })
  })
  if (!isRunning) run.end({ status: 'cancelled' })
  const isOfModel = failure !== null && !OF_ONE_CASE.has(failure)
  run.failures = isOfModel ? run.failures + 1 : 0
  if (isOfModel && run.failures >= FAILURES_MAX) run.end({ status: 'failed', reason: failure })
}

function caseOf({ subject }: Run, planned: PlannedCase, { made, failure }: Attempt): AttackCase {
  const { attack, language, number, carrier } = planned
  const { text, question } = textsOf(planned, subject.added)
  const { outcome, calls } = judge({ attack, language, instructions: subject.agent.settings.systemPrompt }, made)
  const answer = made.answer === null ? null : scrubText(made.answer).slice(0, ANSWER_KEPT).toWellFormed()
  const isFailed = failure !== null && outcome !== 'breached'
  return sanitizePayload({
    ...{ number, kind: attack.kind, carrier, language, text, question, calls, answer },
    ...{ outcome: isFailed ? 'failed' : outcome, reason: failure },
  })
}

function contextOf(services: Parts): AnsweringContext {
  const { database } = services
  return {
    ...{ services, logger: log },
    read: (organizationId, run) =>
      database.organization(organizationId, (db) => run({ db, organizationId }), { readOnly: true }),
    organization: (organizationId, run) =>
      database.organization(organizationId, (db) => run({ db, organizationId }), { isolation: 'read committed' }),
  }
}
