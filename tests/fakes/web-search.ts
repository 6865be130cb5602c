// Strict stand-ins for the four providers of web search on loopback: each accepts only what its documentation says and answers in its
// own form. They know a few pages; a page is found when it shares a word with the question.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { WebSearchConfig } from '#server/config.ts'
import type { WebHit, WebSearchProvider } from '#shared/agents/web-search.ts'

export type SearchFailure = 'quota' | 'rate' | 'error' | 'hang' | 'garbage' | 'shape' | 'too_large' | 'redirect'

export interface FakeWebSearch {
  readonly url: string
  /** Every question that was understood so far, oldest first, with the domains that it was restricted to. */
  readonly requests: { query: string; domains: string[] }[]
  /** From now on every request fails so; null: none does. */
  fail(way: SearchFailure | null): void
  close(): Promise<void>
}

/** The only key that the fakes accept. */
export const WEB_SEARCH_KEY = 'web-search-key'
type Understood = { query: string; domains: string[]; limit: number }
type Answer = { status: number; body: unknown }
type Protocol = {
  path: string
  hasKey(request: IncomingMessage): boolean
  /** How it says that it does not know the key. */
  unauthorized: Answer
  quota: Answer
  understand(url: URL, body: unknown): Understood
  answer(question: Understood, hits: WebHit[]): unknown
}

/** The configuration for a fake. */
export function webSearchConfig(fake: FakeWebSearch, provider: WebSearchProvider): WebSearchConfig {
  return { provider, baseUrl: fake.url, apiKey: WEB_SEARCH_KEY, usdPerThousand: 5, perDay: 1000 }
}

/** Starts a fake on 127.0.0.1. */
export async function startFakeWebSearch(provider: WebSearchProvider, pages: WebHit[]): Promise<FakeWebSearch> {
  const protocol = PROTOCOLS[provider]
  const requests: FakeWebSearch['requests'] = []
  let failure: SearchFailure | null = null
  async function answer(incoming: IncomingMessage): Promise<Answer> {
    const url = new URL(incoming.url ?? '/', 'http://localhost')
    if (url.pathname !== protocol.path) return { status: 404, body: { error: 'no such path' } }
    if (!protocol.hasKey(incoming)) return protocol.unauthorized
    const question = protocol.understand(url, JSON.parse((await readBody(incoming)) || 'null'))
    requests.push({ query: question.query, domains: question.domains })
    const words = question.query.toLowerCase().match(/\p{L}{4,}/gu) ?? []
    const hits = pages.filter(({ title, text }) =>
      words.some((word) => `${title} ${text}`.toLowerCase().includes(word)),
    )
    return { status: 200, body: protocol.answer(question, hits.slice(0, question.limit)) }
  }
  const server = createServer((incoming, response) => {
    if (failure && failure !== 'quota') return failAs(failure, response)
    const result = failure === 'quota' ? Promise.resolve(protocol.quota) : answer(incoming)
    result
      .catch((error: unknown) => ({ status: 400, body: { error: String(error) } }))
      .then(({ status, body }) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
      )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
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

/** `site:` operators of a query, and the query without them. */
function sitesIn(query: string): { query: string; domains: string[] } {
  const domains = [...query.matchAll(/site:(\S+?)(?=[\s)]|$)/g)].map((match) => match[1] ?? '')
  return { query: query.replace(/\s*\((?:site:\S+(?: OR )?)+\)$/, ''), domains }
}

const isOf = (domains: string[]) => (hit: WebHit) =>
  domains.length === 0 || domains.some((domain) => `.${new URL(hit.url).hostname}`.endsWith(`.${domain}`))

const PROTOCOLS: Record<WebSearchProvider, Protocol> = {
  searxng: {
    path: '/search',
    hasKey: (request) => request.headers.authorization === `Bearer ${WEB_SEARCH_KEY}`, // by the proxy in front of it
    unauthorized: { status: 401, body: {} },
    quota: { status: 429, body: {} },
    understand(url) {
      const given = z
        .strictObject({ q: z.string().min(1), format: z.literal('json'), categories: z.literal('general') })
        .parse(Object.fromEntries(url.searchParams))
      return { ...sitesIn(given.q), limit: 20 }
    },
    // Engines that do not know the operator find pages of all domains.
    answer: ({ query }, hits) => ({
      query,
      number_of_results: 0,
      results: hits.map(({ url, title, text }) => ({ url, title, content: text, engine: 'x', score: 1 })),
      answers: [],
      suggestions: [],
      unresponsive_engines: [],
    }),
  },
  tavily: {
    path: '/search',
    hasKey: (request) => request.headers.authorization === `Bearer ${WEB_SEARCH_KEY}`,
    unauthorized: { status: 401, body: { detail: { error: 'Unauthorized: missing or invalid API key.' } } },
    quota: { status: 432, body: { detail: { error: "This request exceeds your plan's set usage limit." } } },
    understand(_url, body) {
      const given = z
        .strictObject({
          query: z.string().min(1).max(400),
          search_depth: z.enum(['basic', 'advanced']),
          max_results: z.number().int().min(0).max(20),
          include_domains: z.array(z.string()).max(300).optional(),
        })
        .parse(body)
      return { query: given.query, domains: given.include_domains ?? [], limit: given.max_results }
    },
    answer: ({ query, domains }, hits) => ({
      query,
      answer: null,
      images: [],
      results: hits
        .filter(isOf(domains))
        .map(({ url, title, text }) => ({ title, url, content: text, score: 0.9, raw_content: null })),
      response_time: 0.5,
      request_id: 'r1',
    }),
  },
  brave: {
    path: '/res/v1/web/search',
    hasKey: (request) => request.headers['x-subscription-token'] === WEB_SEARCH_KEY,
    unauthorized: {
      status: 422,
      body: { type: 'ErrorResponse', error: { code: 'SUBSCRIPTION_TOKEN_INVALID', status: 422 } },
    },
    quota: { status: 402, body: { type: 'ErrorResponse', error: { code: 'QUOTA', status: 402 } } },
    understand(url) {
      const given = z
        .strictObject({
          q: z.string().min(1).max(400),
          count: z.coerce.number().int().min(1).max(20),
          text_decorations: z.literal('false'),
          result_filter: z.literal('web'),
        })
        .parse(Object.fromEntries(url.searchParams))
      if (given.q.split(/\s+/).length > 50) throw new Error('more than 50 words')
      return { ...sitesIn(given.q), limit: given.count }
    },
    answer({ query, domains }, hits) {
      const results = hits.filter(isOf(domains)).map(({ url, title, text }) => ({ title, url, description: text }))
      return {
        type: 'search',
        query: { original: query },
        ...(results.length > 0 && { web: { type: 'search', results } }),
      }
    },
  },
  exa: {
    path: '/search',
    hasKey: (request) => request.headers['x-api-key'] === WEB_SEARCH_KEY,
    unauthorized: { status: 401, body: { requestId: 'r1', error: 'Invalid API key', tag: 'INVALID_API_KEY' } },
    quota: { status: 402, body: { requestId: 'r1', error: 'No more credits', tag: 'NO_MORE_CREDITS' } },
    understand(_url, body) {
      const given = z
        .strictObject({
          query: z.string().min(1),
          type: z.enum(['auto', 'fast', 'deep']),
          numResults: z.number().int().min(1).max(100),
          includeDomains: z.array(z.string()).max(1200).optional(),
          contents: z.strictObject({ text: z.strictObject({ maxCharacters: z.number().int() }) }),
        })
        .parse(body)
      return { query: given.query, domains: given.includeDomains ?? [], limit: given.numResults }
    },
    answer: ({ domains }, hits) => ({
      requestId: 'r1',
      resolvedSearchType: 'neural',
      results: hits.filter(isOf(domains)).map(({ url, title, text }) => ({ id: url, url, title, author: null, text })),
      costDollars: { total: 0.007 },
    }),
  },
}

type Failed = { status: number; body?: string; location?: string }
const FAILURES: Record<Exclude<SearchFailure, 'quota' | 'hang'>, Failed> = {
  rate: { status: 429 },
  error: { status: 500 },
  garbage: { status: 200, body: '<html>Welcome</html>' },
  shape: { status: 200, body: '{"results":{"url":1},"web":[]}' },
  too_large: { status: 200, body: JSON.stringify({ type: 'search', results: [], padding: 'x'.repeat(3_000_000) }) },
  redirect: { status: 302, location: 'http://127.0.0.1:9/' },
}

function failAs(way: Exclude<SearchFailure, 'quota'>, response: ServerResponse): void {
  if (way === 'hang') return // until the client gives up
  const { status, body, location } = FAILURES[way]
  response.writeHead(status, { 'content-type': 'application/json', ...(location && { location }) }).end(body)
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of incoming) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
