// The state of one answer while it is generated, its usage and its failure as an error code of the product.
import type { Logger } from '#server/platform/lib/logger.ts'
import type { ModelNote } from '#shared/messaging/trace.ts'
import { type AnswerView, type StreamTrust, showAnswer } from './answer-view.ts'
import { type Deadline, type ModelLimits, startDeadline, tighten } from './deadline.ts'
import { classifyFailure, type ModelFailure, modelFailed } from './failures.ts'
import type { GenerateRequest, ModelCall } from './llm.ts'
import type { ResolvedModel } from './providers.ts'
import { costMicroUsd } from './registry.ts'
import type { RetryBudget } from './retries.ts'
import { startTalk, type Talk } from './talk.ts'
import { createToolBudget, type ToolBudget } from './tool-budget.ts'
import type { Found } from './used-passages.ts'

/** State shared by all answers of this installation. */
export type GenerateTools = { limits: ModelLimits; retries: RetryBudget; trust: StreamTrust; log: Logger }

/** `none`: tools are described, for the calls in the prompt, but may not be called. `omitted`: they are not sent at all. */
type ToolUse = 'auto' | 'none' | 'omitted'

/** State of one answer while it is generated. */
export type Run = GenerateTools & {
  model: ResolvedModel
  request: GenerateRequest
  talk: Talk
  view: AnswerView
  deadline: Deadline
  startedAt: number
  firstTokenMs: number | null
  text: string
  /** How the text of the current step is joined to the text before it. */
  join: (text: string) => string
  /** Passages offered before the call and found by tools during it. */
  found: Found[]
  notes: ModelNote[]
  /** Calls in words so far. */
  writtenCalls: number
  toolUse: ToolUse
  toolBudget: ToolBudget
  maxOutputTokens: number
  /** Null until a provider has counted. */
  usage: { input: number; output: number; cachedInput: number } | null
  /** No model has seen the call. */
  isTurnedAway: boolean
  retriesLeft: number
}

/** Starts an answer. Its deadline must be stopped. */
export function startRun(model: ResolvedModel, request: GenerateRequest, tools: GenerateTools): Run {
  const limits = tighten(tools.limits, request.limits)
  const found: Found[] = [...request.passages]
  return {
    ...tools,
    limits,
    model,
    request,
    talk: startTalk(request),
    view: showAnswer(request, () => found.length),
    deadline: startDeadline(request.signal, limits),
    startedAt: performance.now(),
    firstTokenMs: null,
    text: '',
    join: (text) => text,
    found,
    notes: [],
    writtenCalls: 0,
    toolUse: 'auto',
    toolBudget: request.toolBudget ?? createToolBudget(),
    maxOutputTokens: model.maxOutputTokens,
    usage: null,
    isTurnedAway: false,
    retriesLeft: 1,
  }
}

/** Each once, but for parameters. */
export function note(run: Run, made: ModelNote): void {
  const isKnown = run.notes.some(
    ({ code, parameter, to }) => code === made.code && parameter === made.parameter && to === made.to,
  )
  if (!isKnown) run.notes.push(made)
}

/** The cost of a call, also of a failed one. */
export function accountOf({ model, usage, isTurnedAway, startedAt, firstTokenMs, notes }: Run): ModelCall {
  const { price, version } = model.priceNow()
  const cost = isTurnedAway ? 0 : usage && costMicroUsd(price, usage)
  return {
    provider: model.provider,
    model: model.name,
    inputTokens: usage?.input ?? null,
    outputTokens: usage?.output ?? null,
    costMicroUsd: cost,
    priceVersion: cost === null ? null : version,
    latencyMs: Math.round(performance.now() - startedAt),
    firstTokenMs,
    ...(notes.length > 0 && { notes }),
  }
}

/** The error of a failed answer as callers know it: the signal's reason when they have aborted. */
export function translate(run: Run, error: unknown): unknown {
  const { request, deadline, model, log } = run
  if (request.signal.aborted) return request.signal.reason
  const failure: ModelFailure = deadline.isPassed
    ? { reason: 'timeout', retryAfterMs: null, isTransient: true }
    : classifyFailure(error)
  const text = error instanceof Error ? error.message : 'unknown'
  const message = (model.ownKey ? text.replaceAll(model.ownKey, '•••') : text).slice(0, 500)
  log.warn({ provider: model.provider, model: model.name, reason: failure.reason, message }, 'model call failed')
  return modelFailed(failure)
}
