// A strict stand-in for an OpenAI-compatible chat API on loopback: validates every request, answers by script,
// breaks in every way a real one does, and remembers what it was asked. Stand-alone: `node tests/fakes/openai/openai.ts --port 4010`.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { answerFromPassages } from './openai.demo.ts'
import { type ChatRequest, validateChatRequest } from './openai.request.ts'

/** What the fake answers: a text, tool calls, or a failure. `delayMs` passes before the first byte. */
export type FakeReply = {
  text?: string
  toolCalls?: { name: string; arguments: string }[]
  /** Default: `stop`, or `tool_calls` when there are any. */
  finishReason?: 'stop' | 'length' | 'content_filter' | 'tool_calls'
  /** Default: counted from the characters. null: none is reported. */
  usage?: { prompt: number; completion: number; cached?: number } | null
  delayMs?: number
  /** Between two pieces of a streamed text. */
  pieceDelayMs?: number
  failure?: FakeFailure
  /** Answers with one whole JSON, although a stream was asked for. */
  isPlain?: boolean
  /** Sent as `Retry-After` with a 429. */
  retryAfterSeconds?: number
  /** What a 401 says. */
  message?: string
  /** The text in these pieces; default: 24 characters each. */
  pieces?: string[]
  /** The body of the answer, as it is: of a stream where one was asked for, else of a whole answer. */
  raw?: string
  /** A refusal with this status and body. */
  refusal?: { status: number; body: unknown }
  /** Where a `redirect` leads. */
  location?: string
}

/** Ways to fail, each once seen on a real endpoint. `hang`: no byte ever comes. `trickle`: starts and never ends. */
export type FakeFailure =
  | 'status_500'
  | 'html_502'
  | 'status_429'
  | 'quota_429'
  | 'status_401'
  | 'status_404'
  | 'context_400'
  | 'garbage'
  | 'wrong_type'
  | 'wrong_json'
  | 'truncated'
  | 'error_in_stream'
  | 'empty_stream'
  | 'hang'
  | 'trickle'
  | 'huge'
  | 'reset'
  | 'redirect'

export type ReplyScript = (request: ChatRequest, index: number) => FakeReply | Promise<FakeReply>

export interface FakeOpenAi {
  /** Base URL as `OPENAI_BASE_URL` wants it, ending in `/v1`. */
  readonly url: string
  /** Every well-formed chat request so far, oldest first. */
  readonly requests: ChatRequest[]
  /** Replaces the script for the requests to come. */
  reply(script: ReplyScript): void
  /** Resolves when that many requests have arrived in all. */
  arrived(count: number): Promise<void>
  /** Resolves when the client has closed a response before its end, that many times in all. */
  disconnected(count: number): Promise<void>
  close(): Promise<void>
}

export type FakeOpenAiOptions = {
  port?: number
  /** The only key that is accepted; without it any request is served. */
  apiKey?: string
  reply?: ReplyScript
  /** Keep the requests for `requests`. Off for load tests. */
  isRecording?: boolean
}

/** Starts the fake on 127.0.0.1. The default script answers from the passages of the prompt. */
export async function startFakeOpenAi(options: FakeOpenAiOptions = {}): Promise<FakeOpenAi> {
  let script: ReplyScript = options.reply ?? ((request) => ({ text: answerFromPassages(request) }))
  const requests: ChatRequest[] = []
  const arrivals = counter()
  const disconnects = counter()

  const server = createServer((request, response) => {
    response.on('close', () => {
      if (!response.writableEnded) disconnects.add()
    })
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (options.apiKey && request.headers.authorization !== `Bearer ${options.apiKey}`) {
      return sendError(response, 401, 'Incorrect API key provided.', 'invalid_api_key')
    }
    if (request.method === 'GET' && request.url === '/v1/models') return sendModels(response)
    if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
      return sendError(response, 404, `Unknown request URL: ${request.method} ${request.url}.`, 'unknown_url')
    }
    const chat = validateChatRequest(await readBody(request))
    if ('problem' in chat) return sendError(response, 400, chat.problem, 'invalid_request_error')
    if (options.isRecording !== false) requests.push(chat)
    const reply = await script(chat, arrivals.add() - 1)
    if (reply.delayMs) await wait(reply.delayMs)
    if (reply.refusal) return sendJson(response, reply.refusal.status, reply.refusal.body)
    if (reply.raw !== undefined) return sendRaw(response, chat, reply.raw)
    if (reply.failure) return sendFailure(response, chat, reply.failure, reply)
    return chat.stream && !reply.isPlain ? sendStream(response, chat, reply) : sendWhole(response, chat, reply)
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    reply(next) {
      script = next
    },
    arrived: arrivals.reached,
    disconnected: disconnects.reached,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function counter() {
  let count = 0
  const waiting: { target: number; resolve: () => void }[] = []
  return {
    add() {
      count += 1
      for (const waiter of waiting) if (count >= waiter.target) waiter.resolve()
      return count
    },
    reached: (target: number) =>
      new Promise<void>((resolve) => (count >= target ? resolve() : waiting.push({ target, resolve }))),
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

function sendError(
  response: ServerResponse,
  status: number,
  message: string,
  code: string,
  headers: Record<string, string> = {},
): void {
  const type = status >= 500 ? 'server_error' : status === 429 ? 'requests' : 'invalid_request_error'
  sendJson(response, status, { error: { message, type, param: null, code } }, headers)
}

function sendModels(response: ServerResponse): void {
  const names = ['gpt-5-mini', 'gpt-5', 'gpt-4.1-mini']
  const data = names.map((id) => ({ id, object: 'model', created: 1_750_000_000, owned_by: 'fake' }))
  sendJson(response, 200, { object: 'list', data })
}

function usageOf(chat: ChatRequest, reply: FakeReply) {
  if (reply.usage === null) return null
  const counted = {
    prompt: Math.ceil(chat.messages.reduce((sum, message) => sum + (message.content?.length ?? 0), 0) / 4),
    completion: Math.ceil((reply.text?.length ?? 0) / 4),
    cached: 0,
    ...reply.usage,
  }
  return {
    prompt_tokens: counted.prompt,
    completion_tokens: counted.completion,
    total_tokens: counted.prompt + counted.completion,
    prompt_tokens_details: { cached_tokens: counted.cached },
    completion_tokens_details: { reasoning_tokens: 0 },
  }
}

function toolCallsOf(reply: FakeReply) {
  return reply.toolCalls?.map((call, index) => ({
    index,
    id: `call_${Math.random().toString(36).slice(2)}`,
    type: 'function' as const,
    function: { name: call.name, arguments: call.arguments },
  }))
}

function finishReasonOf(reply: FakeReply) {
  return reply.finishReason ?? (reply.toolCalls?.length ? 'tool_calls' : 'stop')
}

function envelope(chat: ChatRequest, object: string) {
  return { id: 'chatcmpl-fake', object, created: Math.floor(Date.now() / 1000), model: chat.model }
}

function sendWhole(response: ServerResponse, chat: ChatRequest, reply: FakeReply): void {
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    refusal: null,
    ...(reply.toolCalls && { tool_calls: toolCallsOf(reply)?.map(({ index: _, ...call }) => call) }),
  }
  sendJson(response, 200, {
    ...envelope(chat, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReasonOf(reply), logprobs: null }],
    ...(reply.usage !== null && { usage: usageOf(chat, reply) }),
  })
}

/** One `data:` line of a stream. */
function piece(chat: ChatRequest, delta: object, finishReason: string | null = null): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason, logprobs: null }]
  return `data: ${JSON.stringify({ ...envelope(chat, 'chat.completion.chunk'), choices })}\n\n`
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' })
}

function sendRaw(response: ServerResponse, chat: ChatRequest, raw: string): void {
  if (chat.stream) openStream(response)
  else response.writeHead(200, { 'content-type': 'application/json' })
  response.end(raw)
}

async function sendStream(response: ServerResponse, chat: ChatRequest, reply: FakeReply): Promise<void> {
  openStream(response)
  response.write(piece(chat, { role: 'assistant', content: '' }))
  for (const part of reply.pieces ?? (reply.text ?? '').match(/.{1,24}/gsu) ?? []) {
    response.write(piece(chat, { content: part }))
    if (reply.pieceDelayMs) await wait(reply.pieceDelayMs)
  }
  const calls = toolCallsOf(reply)
  if (calls) response.write(piece(chat, { tool_calls: calls }))
  response.write(piece(chat, {}, finishReasonOf(reply)))
  const usage = usageOf(chat, reply)
  if (chat.stream_options?.include_usage && usage) {
    response.write(`data: ${JSON.stringify({ ...envelope(chat, 'chat.completion.chunk'), choices: [], usage })}\n\n`)
  }
  response.end('data: [DONE]\n\n')
}

async function sendFailure(response: ServerResponse, chat: ChatRequest, failure: FakeFailure, reply: FakeReply) {
  const start = () => {
    openStream(response)
    response.write(piece(chat, { role: 'assistant', content: reply.text ?? 'The delivery' }))
  }
  switch (failure) {
    case 'status_500':
      return sendError(response, 500, 'The server had an error while processing your request.', 'server_error')
    case 'html_502':
      return void response
        .writeHead(502, { 'content-type': 'text/html' })
        .end('<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>')
    case 'status_429': {
      const headers: Record<string, string> =
        reply.retryAfterSeconds === undefined ? {} : { 'retry-after': String(reply.retryAfterSeconds) }
      return sendError(response, 429, 'Rate limit reached.', 'rate_limit_exceeded', headers)
    }
    case 'quota_429':
      return sendError(response, 429, 'You exceeded your current quota.', 'insufficient_quota')
    case 'status_401':
      return sendError(response, 401, reply.message ?? 'Incorrect API key provided.', 'invalid_api_key')
    case 'status_404':
      return sendError(response, 404, `The model \`${chat.model}\` does not exist.`, 'model_not_found')
    case 'context_400':
      return sendError(response, 400, "This model's maximum context length is exceeded.", 'context_length_exceeded')
    case 'garbage':
      openStream(response)
      return void response.end('data: {"choices": [{"delta": {"conte\n\ndata: \u0000\u0001\n\n')
    case 'wrong_type':
      return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to the proxy</h1>')
    case 'wrong_json':
      return sendJson(response, 200, { status: 'ok', version: '1.2.3' })
    case 'truncated':
      start()
      await wait(10)
      return void response.destroy()
    case 'error_in_stream':
      start()
      return void response.end(
        `data: ${JSON.stringify({ error: { message: 'The server is overloaded.', type: 'server_error', code: null } })}\n\n`,
      )
    case 'empty_stream':
      openStream(response)
      return void response.end('data: [DONE]\n\n')
    case 'hang':
      return
    case 'trickle':
      start()
      while (!response.destroyed) {
        response.write(piece(chat, { content: '.' }))
        await wait(20)
      }
      return
    case 'huge':
      openStream(response)
      for (let sent = 0; sent < 10 * 1024 * 1024 && !response.destroyed; sent += 65_536) {
        if (!response.write(piece(chat, { content: 'x'.repeat(65_536) }))) await drained(response)
      }
      return void response.end('data: [DONE]\n\n')
    case 'reset':
      return void response.socket?.resetAndDestroy()
    case 'redirect':
      return void response.writeHead(307, { location: reply.location ?? '/' }).end()
    default:
      failure satisfies never
  }
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done).off('close', done)
      resolve()
    }
    response.on('drain', done).on('close', done)
  })
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      port: { type: 'string', default: '0' },
      delay: { type: 'string', default: '0' },
      'piece-delay': { type: 'string', default: '0' },
      text: { type: 'string' },
      record: { type: 'boolean', default: false },
    },
  })
  const fake = await startFakeOpenAi({
    port: Number(values.port),
    isRecording: values.record,
    reply: (request) => ({
      text: values.text ?? answerFromPassages(request),
      delayMs: Number(values.delay),
      pieceDelayMs: Number(values['piece-delay']),
    }),
  })
  process.stdout.write(`${JSON.stringify({ url: fake.url })}\n`)
}
