// What an OpenAI-compatible chat endpoint accepts. Stricter than the real one: unknown fields are refused, so that a change
// of the client library is noticed.
import { z } from 'zod'

const toolCall = z.strictObject({
  id: z.string().min(1),
  type: z.literal('function'),
  function: z.strictObject({ name: z.string(), arguments: z.string() }),
})
const text = z.union([
  z.string(),
  z
    .array(z.strictObject({ type: z.literal('text'), text: z.string() }))
    .transform((parts) => parts.map((part) => part.text).join('')),
])
const message = z.discriminatedUnion('role', [
  z.strictObject({ role: z.enum(['system', 'developer']), content: text }),
  z.strictObject({ role: z.literal('user'), content: text }),
  z.strictObject({
    role: z.literal('assistant'),
    content: text.nullish().transform((content) => content ?? null),
    tool_calls: z.array(toolCall).optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: text }),
])
const chatRequest = z.strictObject({
  model: z.string().min(1),
  messages: z.array(message).min(1),
  stream: z.boolean().default(false),
  stream_options: z.strictObject({ include_usage: z.boolean() }).optional(),
  temperature: z.number().min(0).max(2).optional(),
  max_tokens: z.int().positive().optional(),
  max_completion_tokens: z.int().positive().optional(),
  tools: z
    .array(
      z.strictObject({
        type: z.literal('function'),
        function: z.strictObject({
          name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
          description: z.string().optional(),
          parameters: z.record(z.string(), z.unknown()).optional(),
          strict: z.boolean().optional(),
        }),
      }),
    )
    .optional(),
  tool_choice: z.enum(['auto', 'none', 'required']).optional(),
  reasoning_effort: z.string().optional(),
})

/** A chat request as the fake's script sees it. */
export type ChatRequest = z.output<typeof chatRequest>

/** Reads a request body; `problem` is the text of a 400. */
export function validateChatRequest(body: string): ChatRequest | { problem: string } {
  let json: unknown
  try {
    json = JSON.parse(body)
  } catch {
    return { problem: 'We could not parse the JSON body of your request.' }
  }
  const parsed = chatRequest.safeParse(json)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    return { problem: `Invalid value at '${issue?.path.join('.')}': ${issue?.message}` }
  }
  const problem = reasoningProblem(parsed.data) ?? orderProblem(parsed.data)
  return problem ? { problem } : parsed.data
}

/** Reasoning models take neither a temperature nor the old name of the token limit. */
function reasoningProblem(request: ChatRequest): string | undefined {
  if (!/^(o\d|gpt-[5-9])/.test(request.model)) return undefined
  if (request.temperature !== undefined && request.temperature !== 1) {
    return "Unsupported value: 'temperature' does not support this value with this model."
  }
  if (request.max_tokens !== undefined) {
    return "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
  }
  return undefined
}

/** Each tool call is answered by exactly one tool message right after it, and nothing else is. */
function orderProblem(request: ChatRequest): string | undefined {
  let open = new Set<string>()
  for (const message of request.messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return "Messages with role 'tool' must answer a preceding tool call."
      continue
    }
    if (open.size > 0) return 'An assistant message with tool_calls must be followed by tool messages.'
    open = new Set(message.role === 'assistant' ? message.tool_calls?.map((call) => call.id) : [])
  }
  return open.size > 0 ? 'An assistant message with tool_calls must be followed by tool messages.' : undefined
}
