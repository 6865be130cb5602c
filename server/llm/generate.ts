// One answer of a language model: the tool loop, the second try, the time limits and the account of what it cost.
// The provider packages of the AI SDK speak the wire formats; its own loop (`streamText`) is not used, because it takes about three
// times the processor time of the call itself (docs/decisions/007).
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import type { Logger } from '#server/lib/logger.ts'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import type { ModelNote } from '#shared/trace.ts'
import { type AnswerView, mustWait, type StreamTrust, showAnswer } from './answer-view.ts'
import { type Deadline, type ModelLimits, orAborted, startDeadline, tighten } from './deadline.ts'
import { changesOf } from './endpoint/adaptive-fetch.ts'
import { BROKEN_OFF, UNFINISHED } from './endpoint/answer-chunk.rules.ts'
import { BadAnswer, classifyFailure, type ModelFailure, modelFailed, StreamError, wasTurnedAway } from './failures.ts'
import type { GenerateRequest, Generation, ModelCall } from './llm.ts'
import type { ResolvedModel } from './providers.ts'
import { AnswerReader } from './reading/answer-reader.ts'
import { joined, wholeSentences } from './reading/cut-offs.rules.ts'
import { withoutMarks } from './reading/passage-marks.rules.ts'
import { costMicroUsd, PRICE_VERSION } from './registry.ts'
import type { RetryBudget } from './retries.ts'
import { ASK_AGAIN, ask, BE_SHORT, GO_ON, startTalk, type Talk, written } from './talk.ts'
import { runTools, type Toolbox, type ToolCall, toolDefinitions } from './tools.ts'
import { type Found, findUsedPassages, passagesIn } from './used-passages.ts'

/** Model calls of one answer; the last of them gets no tools. */
const MAX_STEPS = 6
/** Characters of one step, what is not shown included. */
const STEP_MAX = 16 * MESSAGE_TEXT_MAX

export type GenerateTools = { limits: ModelLimits; retries: RetryBudget; trust: StreamTrust; log: Logger }

/** State of one answer while it is made. */
type Run = GenerateTools & {
  model: ResolvedModel
  request: GenerateRequest
  talk: Talk
  view: AnswerView
  deadline: Deadline
  startedAt: number
  firstTokenMs: number | null
  text: string
  /** How the text of the step under way is joined to what stands before it. */
  join: (text: string) => string
  /** What was offered before the call and found by tools during it. */
  found: Found[]
  notes: ModelNote[]
  /** Calls in words so far. */
  writtenCalls: number
  hasTools: boolean
  maxOutputTokens: number
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
  const run = startRun(model, request, tools)
  let call: ModelCall | undefined
  try {
    await answer(run)
    const { text, usedPassageIds } = finished(run)
    run.view.end(text)
    call = accountOf(run)
    return { text, call, usedPassageIds }
  } catch (error) {
    // Nothing was charged for a call that no model has seen.
    run.isTurnedAway = run.usage === null && wasTurnedAway(error)
    throw translate(run, error)
  } finally {
    run.deadline.stop()
    request.onCall?.(call ?? accountOf(run))
  }
}

function startRun(model: ResolvedModel, request: GenerateRequest, tools: GenerateTools): Run {
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
    hasTools: true,
    maxOutputTokens: model.maxOutputTokens,
    usage: null,
    isTurnedAway: false,
    retriesLeft: 1,
  }
}

/** The answer as it goes out: whole characters, which two pieces may have held half of each, and no marks of passages. */
function finished(run: Run): Pick<Generation, 'text' | 'usedPassageIds'> {
  const { text, named } = withoutMarks(run.text.trim().toWellFormed(), run.found.length)
  if (text.trim() === '') throw new BadAnswer('empty', 'The answer is empty.')
  if (text !== run.text.trim().toWellFormed()) note(run, { code: 'marks' })
  const meant = named.flatMap((index) => run.request.passages[index]?.id ?? [])
  return { text: text.trim(), usedPassageIds: [...new Set([...findUsedPassages(text, run.found), ...meant])] }
}

/** Calls the model until it answers without asking for a tool; once more when nothing, or not all, of its answer can be used. */
async function answer(run: Run): Promise<void> {
  let wasAskedAgain = false
  /** What was whole of an answer that was cut; null: none was. */
  let whole: string | null = null
  for (let step = 1; ; step += 1) {
    const mayUseTools = run.hasTools && step < MAX_STEPS
    const result = await callOnce(run, mayUseTools).catch((error: unknown) => endWith(run, whole, error))
    if (!result) return
    if (result.finish === 'content-filter')
      throw new BadAnswer('filtered', 'The answer was withheld by a content filter.')
    const calls = callsOf(run, result, mayUseTools)
    if (calls.length > 0) {
      if (step >= MAX_STEPS) throw new BadAnswer('bad_answer', 'The model asks for tools without end.')
      await runCalls(run, calls, result.text)
    } else if (run.text.trim() === '') {
      if (wasAskedAgain || step >= MAX_STEPS) throw new BadAnswer('empty', 'The answer is empty.')
      wasAskedAgain = true
      askAgain(run, result)
    } else if (result.finish !== 'length') return
    else if (whole !== null || step >= MAX_STEPS) {
      endWhole(run)
      return
    } else whole = goOn(run, result.text)
  }
}

type StepResult = {
  calls: ToolCall[]
  finish: string
  /** As the endpoint has named it. */
  rawFinish: string | undefined
  reader: AnswerReader
  /** What the step has written for the customer. */
  text: string
}

/** The calls of a step: those that the protocol names, and those in words. One in words that cannot be carried out is none, unless words stand by it. */
function callsOf(run: Run, { calls, reader, text }: StepResult, mayUseTools: boolean): ToolCall[] {
  if (!reader.hasCalls) return calls
  const valid = reader.calls.filter(({ isValid }) => isValid)
  const inWords = valid.length > 0 ? valid : text.trim() === '' ? [] : reader.calls
  const taken = mayUseTools ? inWords : []
  note(run, { code: valid.length > 0 && mayUseTools ? 'written_call' : 'unreadable_call' })
  return [...calls, ...taken.map((call) => ({ ...call, toolCallId: nextCallId(run) }))]
}

/** Nine letters and digits, which is what the strictest endpoints take. */
function nextCallId(run: Run): string {
  run.writtenCalls += 1
  return `call${String(run.writtenCalls).padStart(5, '0')}`
}

async function runCalls(run: Run, calls: ToolCall[], text: string): Promise<void> {
  const toolbox: Toolbox = {
    tools: run.request.tools,
    fence: run.talk.fence,
    signal: run.deadline.signal,
    onResult: (result) => run.found.push(...passagesIn(result)),
  }
  run.talk.add(...(await runTools(calls, text, toolbox)))
  const before = run.text.trimEnd()
  // Text before and after a tool call are two paragraphs.
  if (before !== '') run.join = (next) => (next.trim() === '' ? before : `${before}\n\n${next.trimStart()}`)
}

/** Varies the next call: the same one again would be answered in the same way. */
function askAgain(run: Run, { finish, reader }: StepResult): void {
  note(run, { code: 'asked_again' })
  run.talk.add(ask(ASK_AGAIN))
  if (finish === 'length') run.maxOutputTokens *= 2 // reasoning has taken all of it
  if (reader.hasCalls) run.hasTools = false
}

/** Asks for what was cut off. @returns the answer so far, up to its last whole sentence */
function goOn(run: Run, text: string): string {
  const { join } = run
  const whole = wholeSentences(text)
  run.text = join(whole)
  run.join = (next) => join(joined(whole, next))
  note(run, { code: 'continued' })
  run.talk.add(...(whole === '' ? [ask(BE_SHORT)] : [written(whole), ask(GO_ON)]))
  return run.text.trim()
}

/** Where the rest of an answer cannot be had, its beginning counts. @throws the error when there is none */
function endWith(run: Run, whole: string | null, error: unknown): null {
  if (!whole || run.deadline.signal.aborted) throw error
  run.text = whole
  note(run, { code: 'cut' })
  return null
}

function endWhole(run: Run): void {
  run.text = wholeSentences(run.text)
  if (run.text === '') throw new BadAnswer('cut', 'The answer was cut before its first whole sentence.')
  note(run, { code: 'cut' })
}

/** One provider call, made a second time when the first failed for a passing reason before any text was shown. */
async function callOnce(run: Run, mayUseTools: boolean): Promise<StepResult> {
  const before = run.text
  const shown = run.view.length
  run.retries.earn(run.model.account)
  for (;;) {
    let broken: StepResult | null = null
    try {
      const result = await streamStep(run, mayUseTools)
      if (result.rawFinish !== BROKEN_OFF) return result
      broken = result
      throw new BadAnswer('bad_answer', 'The connection was lost in the middle of an answer.')
    } catch (error) {
      if (run.view.length === shown && (await mayTryAgain(run, error))) {
        run.text = before
        continue
      }
      if (broken && endBroken(run, broken)) return broken
      throw error
    }
  }
}

/** Whether a failed call is worth another one: with half of the conversation where that was too long, else after a pause. */
async function mayTryAgain(run: Run, error: unknown): Promise<boolean> {
  const failure = classifyFailure(error)
  if (run.deadline.signal.aborted) return false
  if (failure.reason === 'too_long' && run.talk.halve()) {
    note(run, { code: 'halved' })
    return true
  }
  const delayMs = failure.retryAfterMs ?? 200 + Math.random() * 400
  const isSoon = delayMs <= Math.min(run.limits.maxRetryDelayMs, run.deadline.remainingMs() / 2)
  if (!failure.isTransient || run.retriesLeft <= 0 || !isSoon || !run.retries.take(run.model.account)) return false
  run.retriesLeft -= 1
  run.log.warn(
    { model: run.model.name, reason: failure.reason, delayMs: Math.round(delayMs) },
    'model call is repeated',
  )
  await pause(Math.min(delayMs, run.limits.maxRetryDelayMs), run.deadline.signal)
  return true
}

/** What has arrived counts up to its last whole sentence. @returns false: there is none */
function endBroken(run: Run, result: StepResult): boolean {
  const whole = wholeSentences(result.text)
  if (whole === '' || run.deadline.signal.aborted) return false
  run.text = run.join(whole)
  result.calls.length = 0
  note(run, { code: 'broken_off' })
  return true
}

async function streamStep(run: Run, mayUseTools: boolean): Promise<StepResult> {
  const { model, request, deadline } = run
  const tools = toolDefinitions(request.tools)
  deadline.awaitFirstToken()
  const { stream, response } = await model.client.doStream({
    prompt: run.talk.prompt(),
    maxOutputTokens: run.maxOutputTokens,
    abortSignal: deadline.signal,
    ...(model.hasTemperature && { temperature: request.temperature }),
    ...(tools.length > 0 && { tools, toolChoice: { type: mayUseTools ? 'auto' : 'none' } }),
  })
  for (const { parameter, to } of changesOf(response?.headers)) {
    note(run, { code: 'parameter', parameter, to: to === null ? null : String(to) })
  }
  const result: StepResult = {
    calls: [],
    finish: 'other',
    rawFinish: undefined,
    reader: new AnswerReader(request.tools),
    text: '',
  }
  const reader = stream.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      takePart(run, result, value)
    }
  } catch (error) {
    reader.cancel().catch(() => undefined)
    throw error
  }
  endStep(run, result)
  return result
}

function takePart(run: Run, result: StepResult, part: LanguageModelV4StreamPart): void {
  switch (part.type) {
    case 'text-delta':
      addText(run, result, part.delta)
      return
    case 'tool-call':
      run.deadline.gotFirstToken()
      result.calls.push(part)
      return
    case 'finish':
      result.finish = part.finishReason.unified
      result.rawFinish = part.finishReason.raw
      addUsage(run, part.usage)
      return
    case 'error':
      throw new StreamError(part.error)
    default:
      return
  }
}

/** A NUL, which small local models do emit, is text that PostgreSQL refuses. */
function addText(run: Run, { reader }: StepResult, piece: string): void {
  const delta = piece.replaceAll('\0', '')
  if (delta === '') return
  if (run.firstTokenMs === null) run.firstTokenMs = Math.round(performance.now() - run.startedAt)
  run.deadline.gotFirstToken()
  reader.add(delta)
  run.text = run.join(reader.text)
  if (run.text.length > MESSAGE_TEXT_MAX || reader.size > STEP_MAX) {
    throw new BadAnswer('bad_answer', 'The answer is longer than any message may be.')
  }
  const isTrusted = reader.hasThoughts || run.trust.mayShow(run.model)
  run.view.update(run.text, !isTrusted || mustWait(reader.text))
}

function endStep(run: Run, result: StepResult): void {
  const { reader } = result
  reader.end()
  result.text = reader.text
  run.text = run.join(reader.text)
  if (reader.size > 0) run.trust.learn(run.model, reader.isTakenBack)
  if (reader.hasThoughts) note(run, { code: 'thoughts' })
  if (result.rawFinish === UNFINISHED && result.calls.length === 0) note(run, { code: 'unfinished' })
}

/** Each once, but for parameters. */
function note(run: Run, made: ModelNote): void {
  const isKnown = run.notes.some(
    ({ code, parameter, to }) => code === made.code && parameter === made.parameter && to === made.to,
  )
  if (!isKnown) run.notes.push(made)
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

function accountOf({ model, usage, isTurnedAway, startedAt, firstTokenMs, notes }: Run): ModelCall {
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
    ...(notes.length > 0 && { notes }),
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
