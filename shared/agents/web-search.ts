// Web search: what a space allows, what a search has found, and why one failed.
import * as z from 'zod/mini'
import type { Id } from '#shared/ids.ts'
import { WEB_QUERY_MAX, WEB_SEARCHES_PER_DAY_MAX } from '#shared/limits.ts'
import { id } from '#shared/schema.ts'

/** Services by which the web can be searched. */
export const WEB_SEARCH_PROVIDERS = ['searxng', 'tavily', 'brave', 'exa'] as const
export type WebSearchProvider = (typeof WEB_SEARCH_PROVIDERS)[number]

/** Why a provider gave no answer. */
export type WebSearchFailure = 'unauthorized' | 'out_of_quota' | 'busy' | 'unreachable' | 'timeout' | 'bad_answer'

const knowledgeSpaceId = id('knowledgeSpaces')
/** As a person writes it; addresses are taken for the domain in them. */
const domain = z.string().check(z.trim(), z.minLength(1), z.maxLength(2000))

export const webSearchSpaceInput = z.strictObject({ knowledgeSpaceId })
export const updateWebSearchInput = z.strictObject({
  knowledgeSpaceId,
  patch: z.strictObject({
    isEnabled: z.optional(z.boolean()),
    dailyLimit: z.optional(z.number().check(z.int(), z.minimum(1), z.maximum(WEB_SEARCHES_PER_DAY_MAX))),
  }),
})
export const webDomainInput = z.strictObject({ knowledgeSpaceId, domain })
export const testWebSearchInput = z.strictObject({
  knowledgeSpaceId,
  query: z.string().check(z.trim(), z.minLength(1), z.maxLength(WEB_QUERY_MAX)),
})

/** What a space allows. */
export type WebSearchSettings = {
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  isEnabled: boolean
  /** Only these domains and what is below them are searched; empty: the whole web. `name` is how people write it. */
  domains: { domain: string; name: string }[]
  /** Searches a day, by the clock of the organization. */
  dailyLimit: number
}

/** What holds right now. Not live: it follows from the configuration and the time of day. */
export type WebSearchState = {
  /** Null: no provider is configured, and nothing is searched. */
  provider: WebSearchProvider | null
  /** Searches of the space today. */
  usedToday: number
  /** Those of all spaces, and how many the installation allows an organization. */
  organization: { usedToday: number; dailyLimit: number }
}

/** A page that a search has found. */
export type WebHit = { url: string; title: string; text: string }
