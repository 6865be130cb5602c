// Tools on their way to a model and back: definitions out, calls in, results as messages. A bad call is answered with what is
// wrong with it, so that the model may correct itself; it never ends the answer.
import type {
  LanguageModelV4FunctionTool,
  LanguageModelV4Prompt,
  LanguageModelV4ToolCall,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'
import { AppError } from '#shared/errors.ts'
import { orAborted } from './deadline.ts'
import type { Tool } from './llm.ts'
import { fenced } from './prompt.ts'

/** A call as the model made it; `input` is JSON text, perhaps malformed. Some providers want their metadata back, such as a signature. */
export type ToolCall = Pick<LanguageModelV4ToolCall, 'toolCallId' | 'toolName' | 'input' | 'providerMetadata'>

type ToolOutput = LanguageModelV4ToolResultPart['output']

/** Characters of one result that the model gets to see. */
const RESULT_MAX = 20_000

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
export type Toolbox = { tools: Tool[]; fence: string; signal: AbortSignal; onResult(result: unknown): void }

/** Runs the calls of one step one after another. @returns the two messages that continue the prompt @throws the signal's reason */
export async function runTools(
  calls: ToolCall[],
  textBefore: string,
  toolbox: Toolbox,
): Promise<LanguageModelV4Prompt> {
  const results: LanguageModelV4ToolResultPart[] = []
  for (const call of calls) {
    const output = await runTool(call, toolbox)
    results.push({ type: 'tool-result', toolCallId: call.toolCallId, toolName: call.toolName, output })
  }
  const text = textBefore.trim()
  return [
    {
      role: 'assistant',
      content: [
        ...(text ? [{ type: 'text' as const, text }] : []),
        ...calls.map((call) => ({
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

/** What a model is told of a result, apart from the fence around it. */
export function resultText(result: unknown): string {
  const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
  return text.slice(0, RESULT_MAX)
}

async function runTool(call: ToolCall, { tools, fence, signal, onResult }: Toolbox): Promise<ToolOutput> {
  const tool = tools.find(({ name }) => name === call.toolName)
  if (!tool) return problem(`There is no tool "${call.toolName}".`)
  const args = parse(call.input)
  if (args === undefined) return problem('The arguments are not valid JSON.')
  try {
    const result = await orAborted(tool.run(args, signal), signal)
    onResult(result)
    return { type: 'text', value: fenced(resultText(result), fence) }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return problem(error instanceof AppError ? `The tool failed: ${error.code}.` : 'The tool failed.')
  }
}

function problem(value: string): ToolOutput {
  return { type: 'error-text', value }
}

/** Undefined for malformed JSON. Some models send nothing where they mean no arguments. */
function parse(json: string): unknown {
  if (json.trim() === '') return {}
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
