// A strict stand-in for Anthropic's Messages API on loopback: validates every request, streams answers by script in the real events.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** An answer of the fake: a text, tool calls, or an error with its status. `errorInStream`: after the text. */
export type FakeAnthropicReply = {
  text?: string
  toolCalls?: { name: string; input: unknown }[]
  stopReason?: 'end_turn' | 'tool_use' | 'max_tokens' | 'refusal'
  usage?: { input: number; output: number }
  error?: { status: number; type: string; message: string }
  errorInStream?: string
}

const text = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
const toolUse = z.strictObject({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() })
const toolResult = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: z.string(),
  content: z.union([z.string(), z.array(text)]),
  is_error: z.boolean().optional(),
})
const messagesRequest = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().positive(),
  system: z.array(text).optional(),
  temperature: z.number().min(0).max(1).optional(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z.array(z.discriminatedUnion('type', [text, toolUse, toolResult])).min(1),
      }),
    )
    .min(1),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
        eager_input_streaming: z.boolean().optional(),
      }),
    )
    .optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'any', 'none']) }).optional(),
  stream: z.literal(true),
})
export type MessagesRequest = z.output<typeof messagesRequest>

export interface FakeAnthropic {
  /** Base URL as `ANTHROPIC_BASE_URL` wants it, ending in `/v1`. */
  readonly url: string
  /** Every well-formed request so far, oldest first. */
  readonly requests: MessagesRequest[]
  /** Replies to the requests to come, one after another; the last one stays. */
  reply(...replies: FakeAnthropicReply[]): void
  close(): Promise<void>
}

/** Starts the fake on 127.0.0.1. */
export async function startFakeAnthropic(apiKey: string): Promise<FakeAnthropic> {
  const requests: MessagesRequest[] = []
  let script: FakeAnthropicReply[] = [{ text: 'Hello.' }]
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url, headers } = request
    if (headers['x-api-key'] !== apiKey) return refuse(response, 401, 'authentication_error', 'invalid x-api-key')
    if (headers['anthropic-version'] !== '2023-06-01')
      return refuse(response, 400, 'invalid_request_error', 'anthropic-version: header is required')
    if (method !== 'POST' || url !== '/v1/messages') return refuse(response, 404, 'not_found_error', 'Not found')
    const parsed = messagesRequest.safeParse(JSON.parse(await readBody(request)))
    if (!parsed.success) return refuse(response, 400, 'invalid_request_error', z.prettifyError(parsed.error))
    const problem = orderProblem(parsed.data)
    if (problem) return refuse(response, 400, 'invalid_request_error', problem)
    requests.push(parsed.data)
    const reply = script.length > 1 ? script.shift() : script[0]
    if (reply?.error) return refuse(response, reply.error.status, reply.error.type, reply.error.message)
    stream(response, parsed.data, reply ?? {})
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    reply(...replies) {
      script = replies
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The user speaks first, roles alternate, and each call of a tool is answered in the next message. */
function orderProblem({ messages }: MessagesRequest): string | undefined {
  let open: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (role !== (index % 2 === 0 ? 'user' : 'assistant')) return 'messages: roles must alternate, the user first'
    const answered = content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []))
    if (answered.toSorted().join() !== open.toSorted().join())
      return `messages.${index}: tool_use ids were found without tool_result blocks immediately after`
    open = content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  }
  return open.length > 0 ? 'messages: the last tool_use has no result' : undefined
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  const body = { type: 'error', error: { type, message }, request_id: 'req_fake' }
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

function stream(response: ServerResponse, request: MessagesRequest, reply: FakeAnthropicReply): void {
  const send = (type: string, fields: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  const { input, output } = reply.usage ?? { input: 10, output: 5 }
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  const start = { id: 'msg_fake', type: 'message', role: 'assistant', model: request.model, content: [] }
  const message = { ...start, stop_reason: null, stop_sequence: null, usage: { input_tokens: input, output_tokens: 1 } }
  send('message_start', { message })
  send('ping', {})
  let index = 0
  const block = (content_block: object, deltas: object[]) => {
    send('content_block_start', { index, content_block })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
    index += 1
  }
  const pieces = reply.text?.match(/.{1,24}/gsu) ?? []
  if (pieces.length > 0)
    block(
      { type: 'text', text: '' },
      pieces.map((piece) => ({ type: 'text_delta', text: piece })),
    )
  if (reply.errorInStream) {
    send('error', { error: { type: reply.errorInStream, message: 'Overloaded' } })
    return void response.end()
  }
  for (const call of reply.toolCalls ?? []) {
    const deltas = (JSON.stringify(call.input).match(/.{1,8}/gsu) ?? []).map((partial_json) => {
      return { type: 'input_json_delta', partial_json }
    })
    block({ type: 'tool_use', id: `toolu_${index}`, name: call.name, input: {} }, deltas)
  }
  const stop_reason = reply.stopReason ?? (reply.toolCalls ? 'tool_use' : 'end_turn')
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: output } })
  send('message_stop', {})
  response.end()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
