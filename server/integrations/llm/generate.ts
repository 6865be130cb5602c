// One answer of a language model: the tool loop, the second try, the time limits and the account of what it cost.
// The provider packages of the AI SDK speak the wire formats; its own loop (`streamText`) is not used, because it takes about three
// times the processor time of the call itself (docs/decisions/007-own-loop-over-provider-packages.md).
import { orAborted } from './deadline.ts'
import { BROKEN_OFF } from './endpoint/answer-chunk.rules.ts'
import { BadAnswer, classifyFailure, wasTurnedAway } from './failures.ts'
import type { GenerateRequest, Generation, ModelCall } from './llm.ts'
import type { ResolvedModel } from './providers.ts'
import { joined, wholeSentences } from './reading/cut-offs.rules.ts'
import { withoutMarks } from './reading/passage-marks.rules.ts'
import { accountOf, type GenerateTools, note, type Run, startRun, translate } from './run.ts'
import { type StepResult, streamStep } from './stream-step.ts'
import { ASK_AGAIN, ask, BE_SHORT, GO_ON, written } from './talk.ts'
import { refuseCalls, runTools, type Toolbox, type ToolCall } from './tools.ts'
import { findUsedPassages, passagesIn } from './used-passages.ts'

/** Steps of one answer in which a model may call tools. One to answer without them follows, and another for a model that does not obey. */
const TOOL_STEPS = 4

/** Model calls of one answer. */
const MAX_STEPS = 6

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
    const result = await callOnce(run).catch((error: unknown) => endWith(run, whole, error))
    if (!result) return
    if (result.finish === 'content-filter')
      throw new BadAnswer('filtered', 'The answer was withheld by a content filter.')
    if (await takeCalls(run, result, step)) continue
    if (run.text.trim() === '') {
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

/** Carries out the calls of a step, or refuses them to a model that was to answer without. @returns whether another step has to follow */
async function takeCalls(run: Run, result: StepResult, step: number): Promise<boolean> {
  const calls = callsOf(run, result)
  if (calls.length === 0) return false
  if (run.toolUse === 'auto') {
    await runCalls(run, calls, result.text)
    if (step >= TOOL_STEPS || run.toolBudget.isSpent()) run.toolUse = 'none'
    return true
  }
  refuseCalls(calls, run.toolBudget)
  if (result.text.trim() !== '') return false
  if (run.toolUse === 'omitted') throw new BadAnswer('tool_loop', 'The model asks for tools without end.')
  run.toolUse = 'omitted'
  return true
}

/** The calls of a step: those that the protocol names, and those in words. One in words that cannot be carried out is none, unless words stand by it. */
function callsOf(run: Run, { calls, reader, text }: StepResult): ToolCall[] {
  const mayUseTools = run.toolUse === 'auto'
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
    budget: run.toolBudget,
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
  if (reader.hasCalls) run.toolUse = run.toolUse === 'auto' ? 'none' : 'omitted'
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
async function callOnce(run: Run): Promise<StepResult> {
  const before = run.text
  const shown = run.view.length
  run.retries.earn(run.model.account)
  for (;;) {
    let broken: StepResult | null = null
    try {
      const result = await streamStep(run)
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

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return orAborted(new Promise((resolve) => setTimeout(resolve, milliseconds).unref()), signal)
}
