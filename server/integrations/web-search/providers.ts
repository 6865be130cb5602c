// The protocols of the four providers: the request, and where the answer holds the pages.
import { z } from 'zod'
import type { WebHit, WebSearchProvider } from '#shared/agents/web-search.ts'
import type { ProviderRequest } from './request.ts'
import type { WebQuery } from './web-search.ts'

/** The provider-specific part of a request. */
export type Asking = Pick<ProviderRequest, 'url' | 'headers' | 'body' | 'meanings'>

export type Protocol = {
  /** The provider's default address; undefined: it is self-hosted. */
  baseUrl?: string
  ask(query: WebQuery, access: { baseUrl: string; apiKey: string }): Asking
  /** @throws ZodError for an answer of another shape */
  read(answer: unknown): WebHit[]
  /** Millionths of a US dollar as reported by the provider; undefined: it does not report them. */
  costOf?(answer: unknown): number | undefined
}

/** Characters of a page's text. */
const TEXT_MAX = 1500
/** Extra pages requested, since some may be on other domains or duplicates. */
const SPARE = 5

/** Left out, or null, where a page has no text. */
const saying = z.string().nullish()

/** @source docs.searxng.org/dev/search_api.html; 403 where the instance does not allow the JSON format */
const searxng: Protocol = {
  ask: (query, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/search?${new URLSearchParams({ q: withSites(query), format: 'json', categories: 'general' })}`,
    ...(apiKey && { headers: { authorization: `Bearer ${apiKey}` } }),
  }),
  read(answer) {
    const shape = z.object({ results: z.array(z.object({ url: z.string(), title: saying, content: saying })) })
    return shape.parse(answer).results.map(({ url, title, content }) => toHit(url, title, content))
  },
  costOf: () => 0,
}

/** @source docs.tavily.com/documentation/api-reference/endpoint/search; 432 and 433: limits of the plan */
const tavily: Protocol = {
  baseUrl: 'https://api.tavily.com',
  ask: ({ text, domains, limit }, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/search`,
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      query: text,
      search_depth: 'basic',
      max_results: limit + SPARE,
      ...(domains.length > 0 && { include_domains: domains }),
    },
    meanings: { 432: 'out_of_quota', 433: 'out_of_quota' },
  }),
  read(answer) {
    const shape = z.object({ results: z.array(z.object({ url: z.string(), title: saying, content: saying })) })
    return shape.parse(answer).results.map(({ url, title, content }) => toHit(url, title, content))
  },
}

/** @source api-dashboard.search.brave.com/app/documentation/web-search; 422 also for a token that it does not know */
const brave: Protocol = {
  baseUrl: 'https://api.search.brave.com',
  ask: (query, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/res/v1/web/search?${new URLSearchParams({
      q: withSites(query, BRAVE_QUERY),
      count: String(query.limit + SPARE),
      text_decorations: 'false',
      result_filter: 'web',
    })}`,
    headers: { 'x-subscription-token': apiKey },
    meanings: { 422: 'unauthorized' },
  }),
  read(answer) {
    const result = z.object({
      url: z.string(),
      title: saying,
      description: saying,
      extra_snippets: z.array(z.string()).optional(),
    })
    // Nothing found: there is no `web` at all.
    const shape = z.object({ type: z.literal('search'), web: z.object({ results: z.array(result) }).optional() })
    const { web } = shape.parse(answer)
    return (web?.results ?? []).map(({ url, title, description, extra_snippets: more = [] }) =>
      toHit(url, title, [description ?? '', ...more].join('\n')),
    )
  },
}
/** Brave refuses longer queries. */
const BRAVE_QUERY = { characters: 400, words: 50 }

/** @source exa.ai/docs/reference/search; it says itself what a search has cost */
const exa: Protocol = {
  baseUrl: 'https://api.exa.ai',
  ask: ({ text, domains, limit }, { baseUrl, apiKey }) => ({
    url: `${baseUrl}/search`,
    headers: { 'x-api-key': apiKey },
    body: {
      query: text,
      type: 'auto',
      numResults: limit + SPARE,
      contents: { text: { maxCharacters: TEXT_MAX } },
      ...(domains.length > 0 && { includeDomains: domains }),
    },
  }),
  read(answer) {
    const shape = z.object({ results: z.array(z.object({ url: z.string(), title: saying, text: saying })) })
    return shape.parse(answer).results.map(({ url, title, text }) => toHit(url, title, text))
  },
  costOf(answer) {
    const shape = z.object({ costDollars: z.object({ total: z.number().min(0) }) })
    const { data } = shape.safeParse(answer)
    return data && Math.ceil(data.costDollars.total * 1_000_000)
  },
}

/** Provider → protocol. */
export const PROTOCOLS: Record<WebSearchProvider, Protocol> = { searxng, tavily, brave, exa }

function toHit(url: string, title: string | null | undefined, text: string | null | undefined): WebHit {
  return { url, title: title?.trim() || url, text: (text ?? '').trim().slice(0, TEXT_MAX).toWellFormed() }
}

/** The domains as operators, for providers without a parameter for them; as many as fit. Results that ignore them are filtered later. */
function withSites({ text, domains }: WebQuery, most = { characters: 2000, words: 200 }): string {
  const words = text.split(/\s+/).slice(0, most.words)
  const question = () => words.join(' ')
  while (question().length > most.characters && words.length > 1) words.pop()
  let query = question().slice(0, most.characters)
  const sites: string[] = []
  for (const domain of domains) {
    const next = `${question()} (${[...sites, `site:${domain}`].join(' OR ')})`
    if (next.length > most.characters || next.split(' ').length > most.words) break
    sites.push(`site:${domain}`)
    query = next
  }
  return query
}
