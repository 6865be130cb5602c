// Asking the real client over a fake endpoint, for tests of what gateways do.

import { createLlm } from '#server/integrations/llm/create.ts'
import type { GenerateRequest, Llm, ModelCall } from '#server/integrations/llm/llm.ts'
import type { Tool } from '#server/integrations/llm/tool.ts'
import { createLogger } from '#server/platform/lib/logger.ts'
import { appErrorData } from '#shared/errors.ts'
import type { ModelNote } from '#shared/messaging/trace.ts'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import { type FakeOpenAi, startFakeOpenAi } from '#tests/fakes/openai/openai.ts'

const LIMITS = { firstTokenMs: 20_000, totalMs: 40_000, maxRetryDelayMs: 700 }
const unused = { apiKey: undefined, baseUrl: undefined }
/** What the endpoint answers when nothing else is wanted of it. */
export const ANSWER = 'Delivery is free in Almaty.'

export type Gateway = {
  fake: FakeOpenAi
  /** Arguments of the tool `search_knowledge`, as often as it was used. */
  ran: unknown[]
  /** The answer, or `failed: ` and the reason. */
  ask(overrides?: Partial<GenerateRequest>): Promise<string>
  /** What the trace says of the last call. */
  notes(): ModelNote[]
  /** Refuses requests by these rules, and answers the others. */
  refuse(...rules: Refusing[]): void
}

/** A refusal, or null for a request that is accepted. */
export type Refusing = (request: ChatRequest) => { status: number; body: unknown } | null

/** An endpoint and a client of it. Closed by its fake. */
export async function startGateway(): Promise<Gateway> {
  const fake = await startFakeOpenAi({ reply: () => ({ text: ANSWER }) })
  const openai = { apiKey: 'sk-test', baseUrl: fake.url }
  const llm: Llm = createLlm({ openai, anthropic: unused, google: unused }, createLogger('silent'), LIMITS)
  const ran: unknown[] = []
  let last: ModelCall | null = null
  const search: Tool = {
    name: 'search_knowledge',
    description: 'Searches.',
    parameters: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    run: async (args) => {
      ran.push(args)
      return { found: 'free' }
    },
  }
  const request: GenerateRequest = {
    model: 'openai/gpt-4.1-mini',
    temperature: 0.3,
    system: 'You are the assistant of a shop.',
    messages: [{ role: 'user', text: 'Is delivery free?' }],
    passages: [],
    isWeakEvidence: false,
    tools: [search],
    signal: new AbortController().signal,
    onCall: (call) => {
      last = call
    },
  }
  return {
    fake,
    ran,
    ask: (overrides) =>
      llm.generate({ ...request, ...overrides }).then(
        ({ text }) => text,
        (error: unknown) => `failed: ${appErrorData(error)?.params.reason}`,
      ),
    notes: () => last?.notes ?? [],
    refuse(...rules) {
      fake.reply((asked) => {
        const refusal = rules.map((rule) => rule(asked)).find((each) => each !== null)
        return refusal ? { refusal } : { text: ANSWER }
      })
    },
  }
}

/** The body of a refusal as OpenAI writes it. */
export function refusal(message: string, param: string | null = null, code: string | null = null) {
  return { error: { message, type: 'invalid_request_error', param, code } }
}

/** Refuses what meets a condition. */
export function when(meets: (request: ChatRequest) => boolean, body: unknown, status = 400): Refusing {
  return (request) => (meets(request) ? { status, body } : null)
}

/** One event of a stream. */
export function event(chunk: object): string {
  return `data: ${JSON.stringify(chunk)}\n\n`
}
