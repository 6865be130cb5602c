// Tools on their way to a model and back: definitions out, calls in, results as messages. A bad call is answered with what is
// wrong with it, so that the model may correct itself; it never ends the answer.
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { AppError } from '#shared/errors.ts'
import { TOOL_ARGUMENTS_MAX, TOOL_CALLS_PER_STEP, TOOL_RESULT_MAX } from '#shared/limits.ts'
import type { ToolRefusal } from '#shared/messaging/trace.ts'
import { orAborted } from './deadline.ts'
import { fenced } from './prompt.ts'
import type { Tool } from './tool.ts'
import type { ToolBudget } from './tool-budget.ts'
import { LIMIT_TEXTS, ToolRefused } from './tool-refusal.ts'

/** A call as the model made it; `input` is JSON text, perhaps malformed. Some providers want their metadata back, such as a signature. */
export type ToolCall = Pick<LanguageModelV4ToolCall, 'toolCallId' | 'toolName' | 'input' | 'providerMetadata'>

type ToolOutput = LanguageModelV4ToolResultPart['output']

/** The definitions as providers want them. */
export function toolDefinitions(tools: Tool[]): LanguageModelV4FunctionTool[] {
  return tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters,
  }))
}

/** What the calls of one answer are run with; results are enclosed in the fence. */
export type Toolbox = {
  tools: Tool[]
  fence: string
  signal: AbortSignal
  budget: ToolBudget
  onResult(result: unknown): void
}

/**
 * Runs the calls of one step one after another. Of those over the limit of a step the model sees one, with a result that stands for
 * all: each of them costs tokens in every further step.
 *
 * @returns the two messages that continue the prompt
 * @throws the signal's reason
 */
export async function runTools(
  calls: ToolCall[],
  textBefore: string,
  toolbox: Toolbox,
): Promise<LanguageModelV4Prompt> {
  const results: LanguageModelV4ToolResultPart[] = []
  for (const call of calls.slice(0, TOOL_CALLS_PER_STEP)) results.push(resultOf(call, await runTool(call, toolbox)))
  for (const [index, call] of calls.slice(TOOL_CALLS_PER_STEP).entries()) {
    const output = refuse(call, 'step_limit', LIMIT_TEXTS.step_limit, toolbox.budget)
    if (index === 0) results.push(resultOf(call, output))
  }
  const text = textBefore.trim()
  return [
    {
      role: 'assistant',
      content: [
        ...(text ? [{ type: 'text' as const, text }] : []),
        ...calls.slice(0, TOOL_CALLS_PER_STEP + 1).map((call) => ({
          type: 'tool-call' as const,
          toolCallId: call.toolCallId,
          toolName: call.toolName,
          input: parse(call.input) ?? {},
          ...(call.providerMetadata && { providerOptions: call.providerMetadata }),
        })),
      ],
    },
    { role: 'tool', content: results },
  ]
}

/** Notes calls of a model that was to answer without tools. They are not carried out. */
export function refuseCalls(calls: ToolCall[], budget: ToolBudget): void {
  for (const call of calls) refuse(call, 'not_offered', 'Not carried out.', budget)
}

/** One result as the model receives it, without the fence around it. */
export function resultText(result: unknown): string {
  return textOf(result).slice(0, TOOL_RESULT_MAX)
}

function textOf(result: unknown): string {
  return typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
}

async function runTool(call: ToolCall, toolbox: Toolbox): Promise<ToolOutput> {
  const { tools, budget } = toolbox
  const tool = tools.find(({ name }) => name === call.toolName)
  if (!tool) return refuse(call, 'unknown_tool', `There is no tool "${call.toolName.slice(0, 64)}".`, budget)
  const args = parse(call.input)
  if (args === undefined) return refuse(call, 'bad_arguments', 'The arguments are not valid JSON.', budget)
  const limit = await budget.admit(tool)
  if (limit !== null) return refuse(call, limit, LIMIT_TEXTS[limit], budget)
  return carryOut({ tool, args }, toolbox)
}

async function carryOut(
  { tool, args }: { tool: Tool; args: unknown },
  { fence, signal, budget, onResult }: Toolbox,
): Promise<ToolOutput> {
  const startedAt = performance.now()
  try {
    const result = await orAborted(tool.run(args, signal), signal)
    onResult(result)
    return { type: 'text', value: fenced(budget.cut(textOf(result)), fence) }
  } catch (error) {
    const refusal = error instanceof ToolRefused ? error.refusal : null
    const result = signal.aborted ? 'Stopped.' : failureText(error)
    const durationMs = Math.round(performance.now() - startedAt)
    budget.note({ name: tool.name, arguments: args, result, refusal, durationMs })
    if (signal.aborted) throw signal.reason
    return problem(result)
  }
}

/** The model learns nothing about unexpected errors. */
function failureText(error: unknown): string {
  if (error instanceof ToolRefused) return error.message
  return error instanceof AppError ? `The tool failed: ${error.code}.` : 'The tool failed.'
}

function refuse(call: ToolCall, refusal: ToolRefusal, result: string, budget: ToolBudget): ToolOutput {
  budget.note({ name: call.toolName.slice(0, 64), arguments: call.input, result, refusal, durationMs: 0 })
  return problem(result)
}

function resultOf({ toolCallId, toolName }: ToolCall, output: ToolOutput): LanguageModelV4ToolResultPart {
  return { type: 'tool-result', toolCallId, toolName, output }
}

function problem(value: string): ToolOutput {
  return { type: 'error-text', value }
}

/** Undefined for malformed JSON, and for more of it than any tool asks for. Some models send nothing where they mean no arguments. */
function parse(json: string): unknown {
  if (json.trim() === '') return {}
  if (json.length > TOOL_ARGUMENTS_MAX) return undefined
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
