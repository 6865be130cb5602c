// A strict stand-in for an OpenAI-compatible embeddings endpoint on loopback. Its models know a few topics: texts about the same
// topic are near, whatever their words. Two models have different dimensions.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

export interface FakeEmbeddings {
  /** Base URL as `EMBEDDINGS_BASE_URL` wants it, ending in `/v1`. */
  readonly url: string
  /** Every well-formed request so far, oldest first. */
  readonly requests: { model: string; input: string[] }[]
  /** The answer to every request from now on; null: the normal one. */
  fail(way: 'status_500' | 'too_few' | 'too_long' | null): void
  close(): Promise<void>
}

const TOPICS = [
  /достав|курьер|привез|везти/iu,
  /возврат|верну|назад|деньги/iu,
  /оплат|карт|налич/iu,
  /гарант|ремонт|слома/iu,
]
const DIMENSIONS: Record<string, number> = { 'topics-small': TOPICS.length + 1, 'topics-large': TOPICS.length + 4 }
/** Of a text, when long ones are refused. */
const CHARACTERS_MAX = 1_000
const API_KEY = 'embeddings-key'
const request = z.strictObject({
  model: z.enum(['topics-small', 'topics-large']),
  input: z.array(z.string().min(1)).min(1).max(128),
  encoding_format: z.literal('float'),
})

/** The configuration for a fake. */
export function embeddingsConfig(fake: FakeEmbeddings, model = 'topics-small') {
  return { model, baseUrl: fake.url, apiKey: API_KEY, usdPerMillion: 20 }
}

/** Starts the fake on 127.0.0.1. */
export async function startFakeEmbeddings(): Promise<FakeEmbeddings> {
  const requests: FakeEmbeddings['requests'] = []
  let failure: Parameters<FakeEmbeddings['fail']>[0] = null
  async function answer(incoming: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (incoming.headers.authorization !== `Bearer ${API_KEY}`) return refusal(401, 'Incorrect API key provided.')
    if (incoming.method !== 'POST' || incoming.url !== '/v1/embeddings') return refusal(404, 'Unknown request URL.')
    const parsed = request.safeParse(JSON.parse(await readBody(incoming)))
    if (!parsed.success) return refusal(400, parsed.error.message)
    const { model, input } = parsed.data
    requests.push({ model, input })
    const isTooLong = failure === 'too_long' && input.some((text) => text.length > CHARACTERS_MAX)
    if (isTooLong) return refusal(400, 'This model takes fewer tokens.')
    if (failure === 'status_500') return refusal(500, 'The server had an error.')
    const texts = failure === 'too_few' ? input.slice(1) : input
    const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, model) }))
    const tokens = input.join(' ').length
    // The order is not promised: the index says whose vector it is.
    const body = {
      object: 'list',
      model,
      data: data.toReversed(),
      usage: { prompt_tokens: tokens, total_tokens: tokens },
    }
    return { status: 200, body }
  }
  const server = createServer((incoming, response) => {
    answer(incoming)
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    fail(way) {
      failure = way
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function vectorOf(text: string, model: string): number[] {
  const vector = Array.from({ length: DIMENSIONS[model] ?? 0 }, () => 0.05)
  for (const [at, topic] of TOPICS.entries()) if (topic.test(text)) vector[at] = 1
  return vector
}

function refusal(status: number, message: string) {
  return { status, body: { error: { message, type: 'invalid_request_error' } } }
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
