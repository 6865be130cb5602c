// One reply from start to finish. Each step is a file of its own; runner.ts decides when it is called.
import { isOutage } from '#server/platform/db/engine/engine.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { type TextLimit, textLimitOf } from '#server/platform/lib/text/split-text.ts'
import { withApprovals } from '../approvals/settle.ts'
import { stepOf } from '../follow-ups/follow-up.rules.ts'
import { checkSpokenPhrases } from '../handoff/handoff.rules.ts'
import { paceParts, splitReply } from '../outbox/split.ts'
import type { AbortReason, TurnOutcome } from '../turns/outcome.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { asShown, sendingChannel } from '../turns/rehearsal.rules.ts'
import { startTrace } from '../turns/trace.ts'
import { unanswered } from '../turns/turn.rules.ts'
import { findTurn } from '../turns/turn.store.ts'
import type { Claim, Turn } from '../turns/turn.ts'
import type { Answered, FailedCall } from './answer.ts'
import { approvalsOf, choicesOf, withList } from './choices.rules.ts'
import { belowCommandTexts } from './command-context.ts'
import { readAttachments } from './context/attachments.ts'
import { summariseLater } from './context/summary.job.ts'
import { checkEligibility } from './eligibility.ts'
import { finishAborted, finishFailed, finishKeptBack, finishTurn } from './finish.ts'
import { generate } from './generate.ts'
import { checkAnswer } from './guards/guards.ts'
import { checkLimits } from './limits/limits.ts'
import { finishRefused } from './refuse.ts'
import { type Failure, planAfterFailure } from './reply.rules.ts'
import { speakAnswer } from './speak.ts'

/** A reply in progress: the runner watches it, and aborts it when it is no longer wanted. */
export type Work = {
  claim: Claim
  /** The turn, where the transaction that began it has read it. */
  read?: Promise<Turn | undefined> | undefined
  signal: AbortSignal
  isLookedAt(): boolean
  onRead(turn: Turn): void
}

/** Answers all customer messages since our last reply, or sends a follow-up. Safe to run twice: a stale owner's result is discarded. */
export async function reply(ctx: PipelineContext, work: Work): Promise<TurnOutcome> {
  const reading =
    work.read ?? ctx.read(work.claim.organizationId, (store) => findTurn(store, work.claim), { statements: 1 })
  const found = await reading
  if (!found) return { status: 'unwanted' }
  work.onRead(found)
  failpoint('turn-read')
  const trace = startTrace(found)

  const refusal = checkEligibility(found, trace, Date.now()) ?? (await checkLimits(ctx, found, trace, Date.now()))
  if (refusal) return finishRefused(ctx, found, refusal, trace)
  failpoint('limits-passed')

  const turn = await readAttachments(ctx, found, trace, work.signal) // recordings, pictures and files, each read once
  const called = checkSpokenPhrases(turn, unanswered(turn), trace)
  if (called) return finishRefused(ctx, turn, called, trace)

  // Knowledge is a search before and a tool during the call.
  const attempt = givenAnswer(turn) ?? (await generate(ctx, turn, trace, work))
  if (!attempt.answer) {
    if (work.signal.aborted) {
      const reason: AbortReason = work.signal.reason
      return finishAborted(ctx, turn, attempt.failed, { reason, trace })
    }
    const { failed } = attempt
    const outage = failed.find(({ error }) => isOutage(error))
    if (outage) throw outage.error // a database outage: does not count as an attempt
    return finishFailed(ctx, turn, planNext(ctx, turn, failed, trace.startedAt), { failed, trace })
  }
  const allowed = checkAnswer(turn, attempt, trace)
  if (!allowed) return finishKeptBack(ctx, turn, attempt, trace)
  const approvals = approvalsOf(attempt, allowed)
  const choices = choicesOf(attempt, allowed, approvals)
  const hasButtons = hasButtonsFor(ctx, turn)
  const whole = withApprovals(allowed.answer.text, approvals)
  const text = belowCommandTexts(turn, withList(whole, hasButtons ? [] : choices))
  const { splitByParagraphs, pace } = turn.agent.settings.replies
  const texts = asShown(turn, splitReply(text, textLimit(ctx, turn), splitByParagraphs))
  const parts = paceParts(texts, pace, Date.now() - trace.startedAt)
  const spoken = await speakAnswer(ctx, turn, text, { trace, signal: work.signal })
  const outcome = await finishTurn(ctx, turn, {
    ...allowed,
    answer: { ...allowed.answer, text },
    choices: hasButtons ? choices : [],
    approvals,
    parts,
    spoken,
    trace,
  }) // message, parts, usage and trace in one transaction
  if (outcome.status === 'replied') await summariseLater(ctx, turn)
  return outcome
}

function planNext(ctx: PipelineContext, turn: Turn, failed: FailedCall[], startedAt: number): Failure {
  return planAfterFailure(
    failed.map(({ error }) => error),
    {
      before: turn.failedAttempts,
      elapsedMs: Date.now() - (turn.firstTriedAt ?? startedAt),
      answerMs: ctx.services.llm.answerMs,
      chance: Math.random(),
      waitShare: ctx.waitShare,
    },
  )
}

/** In the test chat the channel that is tried decides. */
function hasButtonsFor(ctx: PipelineContext, turn: Turn): boolean {
  const channel = sendingChannel(turn)
  return channel !== null && ctx.services.channels[channel].buttons !== undefined
}

function textLimit(ctx: PipelineContext, turn: Turn): TextLimit | null {
  const channel = sendingChannel(turn)
  return channel && textLimitOf(ctx.services.channels[channel].showing)
}

/** The follow-up of a turn whose text stands in the settings; null when a model is to write it. */
function givenAnswer(turn: Turn): Answered | null {
  const step = stepOf(turn)
  if (step?.mode !== 'text') return null
  return {
    answer: { text: step.text, call: null, usedPassageIds: [] },
    context: {
      found: new Map(),
      usedTables: new Map(),
      foundPages: new Map(),
      evidence: [],
      handoff: { request: null },
      answersThrough: turn.conversation.answeredThrough,
    },
    failed: [],
  }
}
