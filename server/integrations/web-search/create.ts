// The configured provider as a WebSearch: what all providers have in common happens here.
import { z } from 'zod'
import type { WebSearchConfig } from '#server/config.ts'
import type { WebHit } from '#shared/agents/web-search.ts'
import { PROTOCOLS } from './providers.ts'
import { askProvider } from './request.ts'
import { isWithin, type WebQuery, type WebSearch, WebSearchError } from './web-search.ts'

/** Nothing is called until `search`. @param options.timeoutMs of one search; by default eight seconds */
export function createWebSearch(config: WebSearchConfig, options: { timeoutMs?: number } = {}): WebSearch {
  const { provider, apiKey = '', usdPerThousand } = config
  const protocol = PROTOCOLS[provider]
  const baseUrl = config.baseUrl ?? protocol.baseUrl ?? ''
  const usualCost = usdPerThousand === undefined ? null : Math.ceil(usdPerThousand * 1000)
  return {
    provider,
    organizationDailyLimit: config.perDay,
    async search(query, signal) {
      const answer = await askProvider({ ...protocol.ask(query, { baseUrl, apiKey }), ...options, signal })
      return {
        hits: wanted(
          readHits(() => protocol.read(answer)),
          query,
        ),
        costMicroUsd: protocol.costOf?.(answer) ?? usualCost,
      }
    },
  }
}

function readHits(read: () => WebHit[]): WebHit[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof z.ZodError) throw new WebSearchError('bad_answer', 'The answer has an unknown shape.')
    throw error
  }
}

/** Web addresses of the wanted domains, each once: no provider is relied upon for that. */
function wanted(hits: WebHit[], { domains, limit }: WebQuery): WebHit[] {
  const seen = new Map<string, WebHit>()
  for (const hit of hits) {
    const url = URL.parse(hit.url)
    if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) continue
    if (!isWithin(url.hostname, domains)) continue
    url.hash = ''
    if (!seen.has(url.href)) seen.set(url.href, { ...hit, url: url.href })
  }
  return [...seen.values()].slice(0, limit)
}
