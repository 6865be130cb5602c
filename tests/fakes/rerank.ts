// A strict stand-in for a rerank endpoint on loopback, in all protocols. It ranks the text with the configured word first.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { RerankConfig } from '#server/config.ts'

export interface FakeReranker {
  /** Base URL as `RERANK_BASE_URL` wants it. */
  readonly url: string
  /** Every well-formed request so far, oldest first. */
  readonly requests: { query: string; texts: string[] }[]
  /** From now on texts with this word are the most relevant. */
  favour(word: string): void
  /** The answer to every request from now on; null: the normal one. */
  fail(way: 'status_500' | 'one_twice' | null): void
  close(): Promise<void>
}

const API_KEY = 'rerank-key'
/** Where only the protocol of Voyage is spoken. */
const VOYAGE_PATH = '/voyage'
const cohere = z.strictObject({
  model: z.literal('rerank-small'),
  query: z.string().min(1),
  documents: z.array(z.string().min(1)).min(1).max(1000),
  top_n: z.number().int().min(1),
})
const voyage = z.strictObject({ ...cohere.omit({ top_n: true }).shape, top_k: z.number().int().min(1) })
const tei = z.strictObject({
  query: z.string().min(1),
  texts: z.array(z.string().min(1)).min(1),
  raw_scores: z.literal(false),
  truncate: z.literal(true),
})

/** The configuration for a fake. */
export function rerankConfig(fake: FakeReranker, protocol: RerankConfig['protocol'] = 'cohere') {
  const model = protocol === 'tei' ? undefined : 'rerank-small'
  const baseUrl = protocol === 'voyage' ? `${fake.url}${VOYAGE_PATH}` : fake.url
  return { protocol, baseUrl, model, apiKey: API_KEY, usdPerThousand: 2 }
}

/** Starts the fake on 127.0.0.1. */
export async function startFakeReranker(): Promise<FakeReranker> {
  const requests: FakeReranker['requests'] = []
  let favoured = ''
  let failure: Parameters<FakeReranker['fail']>[0] = null
  async function answer(incoming: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (incoming.headers.authorization !== `Bearer ${API_KEY}`) return { status: 401, body: {} }
    const isVoyage = incoming.url === `${VOYAGE_PATH}/rerank`
    if (incoming.method !== 'POST' || (incoming.url !== '/rerank' && !isVoyage)) return { status: 404, body: {} }
    const body: unknown = JSON.parse(await readBody(incoming))
    const asCohere = (isVoyage ? voyage : cohere).safeParse(body)
    const asTei = tei.safeParse(body)
    if (!asCohere.success && !asTei.success) return { status: 422, body: { error: asCohere.error.message } }
    if (failure === 'status_500') return { status: 500, body: {} }
    const query = asCohere.data?.query ?? asTei.data?.query ?? ''
    const texts = asCohere.data?.documents ?? asTei.data?.texts ?? []
    requests.push({ query, texts })
    const judged = texts
      .map((text, index) => ({
        index: failure === 'one_twice' ? 0 : index,
        score: text.includes(favoured) ? 0.9 : 0.1,
      }))
      .sort((a, b) => b.score - a.score)
    if (asTei.success) return { status: 200, body: judged }
    const scored = judged.map(({ index, score }) => ({ index, relevance_score: score }))
    return { status: 200, body: isVoyage ? { object: 'list', data: scored } : { results: scored } }
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
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    favour(word) {
      favoured = word
    },
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

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
