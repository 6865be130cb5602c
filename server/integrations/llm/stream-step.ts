// One call of a provider: its answer is read piece by piece, shown as far as allowed, and counted.
import type { LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider'
import { MESSAGE_TEXT_MAX } from '#shared/limits.ts'
import { mustWait } from './answer-view.ts'
import { changesOf } from './endpoint/adaptive-fetch.ts'
import { UNFINISHED } from './endpoint/answer-chunk.rules.ts'
import { BadAnswer, StreamError } from './failures.ts'
import { AnswerReader } from './reading/answer-reader.ts'
import { note, type Run } from './run.ts'
import { type ToolCall, toolDefinitions } from './tools.ts'

/** Limit of characters of one step, hidden ones included. */
const STEP_MAX = 16 * MESSAGE_TEXT_MAX

/** The result of one call. */
export type StepResult = {
  calls: ToolCall[]
  finish: string
  /** As named by the endpoint. */
  rawFinish: string | undefined
  reader: AnswerReader
  /** The step's text for the customer. */
  text: string
}

/** Calls the model once. @throws what its client throws, StreamError, BadAnswer for an answer longer than any message */
export async function streamStep(run: Run): Promise<StepResult> {
  const { model, request, deadline } = run
  const tools = run.toolUse === 'omitted' ? [] : toolDefinitions(request.tools)
  deadline.awaitFirstToken()
  const { stream, response } = await model.client.doStream({
    prompt: run.talk.prompt(),
    maxOutputTokens: run.maxOutputTokens,
    abortSignal: deadline.signal,
    ...(model.hasTemperature && { temperature: request.temperature }),
    ...(tools.length > 0 && { tools, toolChoice: { type: run.toolUse === 'auto' ? 'auto' : 'none' } }),
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
