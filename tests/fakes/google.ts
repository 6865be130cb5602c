// A strict stand-in for Google's Gemini API on loopback: validates every request, streams answers by script in the real chunks, and
// wants the signature of a tool call back, as the models that think do.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** An answer of the fake: a text, tool calls, or an error with its status. */
export type FakeGoogleReply = {
  text?: string
  toolCalls?: { name: string; args: unknown }[]
  finishReason?: 'STOP' | 'MAX_TOKENS' | 'SAFETY'
  usage?: { input: number; output: number }
  error?: { status: number; name: string; message: string }
}

/** What every call of a tool is signed with. */
const SIGNATURE = 'c2lnbmVkLWJ5LXRoZS1mYWtl'

const text = z.strictObject({ text: z.string().min(1) })
const functionCall = z.strictObject({
  functionCall: z.strictObject({ id: z.string().optional(), name: z.string(), args: z.unknown() }),
  thoughtSignature: z.string().optional(),
})
const functionResponse = z.strictObject({
  functionResponse: z.strictObject({ id: z.string().optional(), name: z.string(), response: z.looseObject({}) }),
})
const generateRequest = z.strictObject({
  contents: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'model']),
        parts: z.array(z.union([text, functionCall, functionResponse])).min(1),
      }),
    )
    .min(1),
  systemInstruction: z.strictObject({ parts: z.array(text) }).optional(),
  generationConfig: z.strictObject({
    maxOutputTokens: z.int().positive().optional(),
    temperature: z.number().min(0).max(2).optional(),
  }),
  tools: z
    .array(
      z.strictObject({
        functionDeclarations: z.array(
          z.strictObject({
            name: z.string().regex(/^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/),
            description: z.string(),
            parametersJsonSchema: z.looseObject({ type: z.literal('object') }),
          }),
        ),
      }),
    )
    .optional(),
  toolConfig: z
    .strictObject({ functionCallingConfig: z.strictObject({ mode: z.enum(['AUTO', 'ANY', 'NONE']) }) })
    .optional(),
})
export type GoogleRequest = z.output<typeof generateRequest>

export interface FakeGoogle {
  /** Base URL as `GOOGLE_BASE_URL` wants it, ending in `/v1beta`. */
  readonly url: string
  /** Every well-formed request so far with the model that was asked, oldest first. */
  readonly requests: (GoogleRequest & { model: string })[]
  /** Replies to the requests to come, one after another; the last one stays. */
  reply(...replies: FakeGoogleReply[]): void
  close(): Promise<void>
}

/** Starts the fake on 127.0.0.1. */
export async function startFakeGoogle(apiKey: string): Promise<FakeGoogle> {
  const requests: FakeGoogle['requests'] = []
  let script: FakeGoogleReply[] = [{ text: 'Hello.' }]
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined))
  })
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const model = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/.exec(request.url ?? '')?.[1]
    if (request.method !== 'POST' || !model) return refuse(response, 404, 'NOT_FOUND', 'Not found')
    if (request.headers['x-goog-api-key'] !== apiKey)
      return refuse(response, 400, 'INVALID_ARGUMENT', 'API key not valid. Please pass a valid API key.')
    const parsed = generateRequest.safeParse(JSON.parse(await readBody(request)))
    if (!parsed.success) return refuse(response, 400, 'INVALID_ARGUMENT', z.prettifyError(parsed.error))
    const problem = callProblem(parsed.data)
    if (problem) return refuse(response, 400, 'INVALID_ARGUMENT', problem)
    requests.push({ ...parsed.data, model })
    const reply = script.length > 1 ? script.shift() : script[0]
    if (reply?.error) return refuse(response, reply.error.status, reply.error.name, reply.error.message)
    stream(response, model, reply ?? {})
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1beta`,
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

/** Each call of a tool carries its signature and is answered in the next content. */
function callProblem({ contents }: GoogleRequest): string | undefined {
  let open: string[] = []
  for (const { parts } of contents) {
    const answered = parts.flatMap((part) => ('functionResponse' in part ? [part.functionResponse.name] : []))
    if (answered.join() !== open.join()) return 'The number of function responses must equal that of function calls.'
    const calls = parts.filter((part) => 'functionCall' in part)
    if (calls.some((part) => part.thoughtSignature !== SIGNATURE))
      return 'Function call is missing a thought_signature.'
    open = calls.map((part) => part.functionCall.name)
  }
  return undefined
}

function refuse(response: ServerResponse, code: number, status: string, message: string): void {
  response
    .writeHead(code, { 'content-type': 'application/json' })
    .end(JSON.stringify({ error: { code, message, status } }))
}

function stream(response: ServerResponse, modelVersion: string, reply: FakeGoogleReply): void {
  const { input, output } = reply.usage ?? { input: 10, output: 5 }
  const usageMetadata = { promptTokenCount: input, candidatesTokenCount: output, totalTokenCount: input + output }
  const send = (parts: object[], finishReason?: string) => {
    const candidates = [{ content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) }]
    response.write(`data: ${JSON.stringify({ candidates, usageMetadata, modelVersion, responseId: 'fake' })}\r\n\r\n`)
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const piece of reply.text?.match(/.{1,24}/gsu) ?? []) send([{ text: piece }])
  for (const { name, args } of reply.toolCalls ?? []) {
    send([{ functionCall: { name, args }, thoughtSignature: SIGNATURE }])
  }
  send([{ text: '' }], reply.finishReason ?? 'STOP')
  response.end()
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
