// The contract of web search: one question → pages and what they say, whichever provider is configured.
import type { WebHit, WebSearchFailure, WebSearchProvider } from '#shared/agents/web-search.ts'

export type WebQuery = {
  text: string
  /** Only pages of these domains and of those below them, in ASCII and lower case; empty: the whole web. */
  domains: string[]
  /** Pages at most. */
  limit: number
}

/** `costMicroUsd`: millionths of a US dollar; null: unknown. */
export type WebAnswer = { hits: WebHit[]; costMicroUsd: number | null }

/** A search that gave no answer. The message is for the log. */
export class WebSearchError extends Error {
  readonly reason: WebSearchFailure
  constructor(reason: WebSearchFailure, message: string) {
    super(message)
    this.name = 'WebSearchError'
    this.reason = reason
  }
}

export interface WebSearch {
  readonly provider: WebSearchProvider
  /** Searches an organization may make a day. */
  readonly organizationDailyLimit: number
  /**
   * The best pages first, each address once.
   * @throws WebSearchError, or the signal's reason when aborted
   */
  search(query: WebQuery, signal: AbortSignal): Promise<WebAnswer>
}

/** Whether a host is one of the domains or stands below one of them; any is, where there are none. */
export function isWithin(host: string, domains: string[]): boolean {
  return domains.length === 0 || domains.some((domain) => host === domain || host.endsWith(`.${domain}`))
}
