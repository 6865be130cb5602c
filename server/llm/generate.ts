// One answer of a language model: the tool loop, the second try, the time limits and the account of what it cost.
// The provider packages of the AI SDK speak the wire formats; its own loop (`streamText`) is not used, because it takes about three
// times the processor time of the call itself (docs/decisions/007).
import type { LanguageModelV4Prompt, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Logger } from '#server/lib/logger.ts'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { type Deadline, type ModelLimits, orAborted, startDeadline, tighten } from './deadline.ts'
import { BadAnswer, classifyFailure, type ModelFailure, modelFailed, StreamError, wasTurnedAway } from './failures.ts'
import type { GenerateRequest, Generation, ModelCall } from './llm.ts'
import { buildPrompt } from './prompt.ts'
import type { ResolvedModel } from './providers.ts'
import { costMicroUsd, PRICE_VERSION } from './registry.ts'
import type { RetryBudget } from './retries.ts'
import { createToolBudget } from './tool-budget.ts'
import { refuseCalls, runTools, type Toolbox, type ToolCall, toolDefinitions } from './tools.ts'
import { type Found, findUsedPassages, passagesIn } from './used-passages.ts'

/** Steps of one answer in which a model may call tools. One to answer without them follows, and another for a model that does not obey. */
const TOOL_STEPS = 4

/** `none`: tools are described, for the calls that stand in the prompt, but may not be called. `omitted`: they are not even named. */
type ToolUse = 'auto' | 'none' | 'omitted'

export type GenerateTools = { limits: ModelLimits; retries: RetryBudget; log: Logger }

/** State of one answer while it is made. */
type Run = GenerateTools & {
  model: ResolvedModel
  request: GenerateRequest
  deadline: Deadline
  startedAt: number
  firstTokenMs: number | null
  text: string
  /** What was offered before the call and found by tools during it. */
  found: Found[]
  /** Null until a provider has counted. */
  usage: { input: number; output: number; cachedInput: number } | null
  /** No model has seen the call. */
  isTurnedAway: boolean
  retriesLeft: number
}

/** Answers with a language model. @throws AppError model_failed, or the signal's reason when the caller aborts */
export async function generateWithModel(
  model: ResolvedModel,
  request: GenerateRequest,
  tools: GenerateTools,
): Promise<Generation> {
  const limits = tighten(tools.limits, request.limits)
  const deadline = startDeadline(request.signal, limits)
  const startedAt = performance.now()
  const run: Run = {
    ...tools,
    limits,
    model,
    request,
    deadline,
    startedAt,
    firstTokenMs: null,
    text: '',
    found: [...request.passages],
    usage: null,
    isTurnedAway: false,
    retriesLeft: 1,
  }
  let call: ModelCall | undefined
  try {
    await answer(run)
    call = accountOf(run)
    // Made whole only now: two pieces may each hold half of a character.
    return { text: run.text.trim().toWellFormed(), call, usedPassageIds: findUsedPassages(run.text, run.found) }
  } catch (error) {
    // Nothing was charged for a call that no model has seen.
    run.isTurnedAway = run.usage === null && wasTurnedAway(error)
    throw translate(run, error)
  } finally {
    deadline.stop()
    request.onCall?.(call ?? accountOf(run))
  }
}

/** Calls the model until it answers without asking for a tool. */
async function answer(run: Run): Promise<void> {
  const { messages, fence } = buildPrompt(run.request)
  const budget = run.request.toolBudget ?? createToolBudget()
  const toolbox: Toolbox = {
    tools: run.request.tools,
    fence,
    signal: run.deadline.signal,
    budget,
    onResult: (result) => run.found.push(...passagesIn(result)),
  }
  let use: ToolUse = 'auto'
  for (let step = 1; ; step += 1) {
    const before = run.text
    const { calls, finish } = await callOnce(run, messages, use)
    if (finish === 'content-filter') throw new BadAnswer('filtered', 'The answer was withheld by a content filter.')
    if (calls.length === 0) break
    const said = run.text.slice(before.length)
    if (use === 'auto') {
      messages.push(...(await runTools(calls, said, toolbox)))
      if (step >= TOOL_STEPS || budget.isSpent()) use = 'none'
      continue
    }
    refuseCalls(calls, budget)
    if (said.trim() !== '') break
    if (use === 'omitted') throw new BadAnswer('tool_loop', 'The model asks for tools without end.')
    use = 'omitted'
  }
  if (run.text.trim() === '') throw new BadAnswer('empty', 'The answer is empty.')
}

type StepResult = { calls: ToolCall[]; finish: string }

/** One provider call, made a second time when the first failed for a passing reason before any text had come. */
async function callOnce(run: Run, prompt: LanguageModelV4Prompt, use: ToolUse): Promise<StepResult> {
  const before = run.text.length
  run.retries.earn(run.model.account)
  for (;;) {
    try {
      return await streamStep(run, prompt, use)
    } catch (error) {
      const failure = classifyFailure(error)
      const delayMs = failure.retryAfterMs ?? 200 + Math.random() * 400
      const canRetry =
        failure.isTransient &&
        !run.deadline.signal.aborted &&
        run.text.length === before &&
        run.retriesLeft > 0 &&
        delayMs <= Math.min(run.limits.maxRetryDelayMs, run.deadline.remainingMs() / 2)
      if (!canRetry || !run.retries.take(run.model.account)) throw error
      run.retriesLeft -= 1
      run.log.warn(
        { model: run.model.name, reason: failure.reason, delayMs: Math.round(delayMs) },
        'model call is repeated',
      )
      await pause(Math.min(delayMs, run.limits.maxRetryDelayMs), run.deadline.signal)
    }
  }
}

async function streamStep(run: Run, prompt: LanguageModelV4Prompt, use: ToolUse): Promise<StepResult> {
  const { model, request, deadline } = run
  const tools = use === 'omitted' ? [] : toolDefinitions(request.tools)
  deadline.awaitFirstToken()
  const { stream } = await model.client.doStream({
    prompt,
    maxOutputTokens: model.maxOutputTokens,
    abortSignal: deadline.signal,
    ...(model.hasTemperature && { temperature: request.temperature }),
    ...(tools.length > 0 && { tools, toolChoice: { type: use === 'auto' ? 'auto' : 'none' } }),
  })
  const result: StepResult = { calls: [], finish: 'other' }
  const isFirstStep = run.text === ''
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return result
      takePart(run, result, value, isFirstStep)
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    throw error
  }
}

function takePart(run: Run, result: StepResult, part: LanguageModelV4StreamPart, isFirstStep: boolean): void {
  switch (part.type) {
    case 'text-start':
      // Text before and after a tool call are two paragraphs.
      if (!isFirstStep && run.text !== '' && !run.text.endsWith('\n\n')) addText(run, '\n\n')
      return
    case 'text-delta':
      addText(run, part.delta)
      return
    case 'tool-call':
      run.deadline.gotFirstToken()
      result.calls.push(part)
      return
    case 'finish':
      result.finish = part.finishReason.unified
      addUsage(run, part.usage)
      return
    case 'error':
      throw new StreamError(part.error)
    default:
      return
  }
}

/** A NUL, which small local models do emit, is text that PostgreSQL refuses. */
function addText(run: Run, piece: string): void {
  const delta = piece.replaceAll('\0', '')
  if (delta === '') return
  if (run.firstTokenMs === null) run.firstTokenMs = Math.round(performance.now() - run.startedAt)
  if (run.text.length + delta.length > MESSAGE_TEXT_MAX) {
    throw new BadAnswer('bad_answer', 'The answer is longer than any message may be.')
  }
  run.deadline.gotFirstToken()
  run.text += delta
  run.request.onText?.(delta)
}

function addUsage(run: Run, usage: LanguageModelV4Usage): void {
  const input = usage.inputTokens.total
  const output = usage.outputTokens.total
  if (input === undefined && output === undefined) return
  run.usage = {
    input: (run.usage?.input ?? 0) + (input ?? 0),
    output: (run.usage?.output ?? 0) + (output ?? 0),
    cachedInput: (run.usage?.cachedInput ?? 0) + (usage.inputTokens.cacheRead ?? 0),
  }
}

function accountOf({ model, usage, isTurnedAway, startedAt, firstTokenMs }: Run): ModelCall {
  const cost = isTurnedAway ? 0 : usage && costMicroUsd(model.price, usage)
  return {
    provider: model.provider,
    model: model.name,
    inputTokens: usage?.input ?? null,
    outputTokens: usage?.output ?? null,
    costMicroUsd: cost,
    priceVersion: cost === null ? null : PRICE_VERSION,
    latencyMs: Math.round(performance.now() - startedAt),
    firstTokenMs,
  }
}

function translate(run: Run, error: unknown): unknown {
  const { request, deadline, model, log } = run
  if (request.signal.aborted) return request.signal.reason
  const failure: ModelFailure = deadline.isPassed
    ? { reason: 'timeout', retryAfterMs: null, isTransient: true }
    : classifyFailure(error)
  const said = error instanceof Error ? error.message : 'unknown'
  const message = (model.ownKey ? said.replaceAll(model.ownKey, '•••') : said).slice(0, 500)
  log.warn({ provider: model.provider, model: model.name, reason: failure.reason, message }, 'model call failed')
  return modelFailed(failure)
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return orAborted(new Promise((resolve) => setTimeout(resolve, milliseconds).unref()), signal)
}
