// One web search for an organization: admitted by its limits, executed, counted. Agents and the test query share it.

import { recordUsage } from '#server/domain/billing/billing.store.ts'
import { requireFlag } from '#server/domain/flags/flags.store.ts'
import type { Services } from '#server/functions/services.ts'
import { type WebAnswer, WebSearchError } from '#server/integrations/web-search/web-search.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import type { WebHit, WebSearchSettings } from '#shared/agents/web-search.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { UsageCategory } from '#shared/organizations/billing.ts'
import { listedDomains } from './web-search.rules.ts'
import * as store from './web-search.store.ts'

type SearchServices = Pick<Services, 'database' | 'webSearch'>

export type WebSearchRequest = {
  organizationId: Id<'organizations'>
  /** Spaces whose settings allow it. Together they say which domains; the first with searches left today is counted. */
  spaces: WebSearchSettings[]
  query: string
  /** For whom it is counted. */
  agentId: Id<'agents'> | null
  /** The conversation whose question it answers; omitted: none. */
  conversationId?: Id<'conversations'>
  category: UsageCategory
  channel: Channel
}

const HITS = 5
/** Longer than any day lasts anywhere, milliseconds. */
const KEEP_MS = 3 * 24 * 3_600_000

/** Once a day, what no limit counts any more is forgotten. */
export const forgetWebSearchesJob = defineJob<object, Pick<Services, 'database'>>({
  name: 'knowledge.forget-web-searches',
  limitSeconds: 60,
  concurrency: 1,
  schedule: '17 3 * * *',
  run: ({ database }) =>
    database.system('knowledge: forget web searches', (db) =>
      store.forgetSearches({ db }, new Date(Date.now() - KEEP_MS)),
    ),
})

/**
 * The best pages first.
 * @throws AppError web_search_not_configured, flag_off, web_search_limit_reached, web_search_failed with the `reason`; the signal's reason
 */
export async function searchWeb(
  services: SearchServices,
  request: WebSearchRequest,
  signal: AbortSignal,
): Promise<WebHit[]> {
  const { webSearch, database } = services
  if (!webSearch) throw new AppError('web_search_not_configured')
  const { id, domains } = await admit(services, request)
  const { hits, costMicroUsd } = await ask(() =>
    webSearch.search({ text: request.query, domains, limit: HITS }, signal),
  )
  const { organizationId, agentId, category, channel, conversationId } = request
  await database.organization(organizationId, (db) =>
    recordUsage(
      { db, organizationId },
      {
        sourceId: id,
        agentId,
        category,
        channel,
        messages: 0,
        ...(conversationId && { spent: { conversationId, purpose: 'search' } }),
        call: {
          provider: webSearch.provider,
          model: 'web-search',
          inputTokens: null,
          outputTokens: null,
          costMicroUsd,
          priceVersion: costMicroUsd === null ? null : 'own',
        },
        occurredAt: new Date(),
      },
    ),
  )
  return hits
}

/** Counted before it is executed, and serialized: concurrent searches cannot exceed a limit together. */
function admit(services: SearchServices, request: WebSearchRequest): Promise<{ id: string; domains: string[] }> {
  const { database } = services
  const { organizationId } = request
  return database.withLock(`web searches of ${organizationId}`, () =>
    database.organization(organizationId, (db) => reserve({ db, organizationId }, services, request)),
  )
}

async function reserve(ctx: OrgStoreContext, { webSearch }: SearchServices, { spaces }: WebSearchRequest) {
  if (!webSearch) throw new AppError('web_search_not_configured')
  await requireFlag(ctx, 'web_search')
  const { provider, organizationDailyLimit: limit } = webSearch
  const now = new Date()
  const today = await store.countToday(ctx, now)
  if (today.inAll >= limit) throw new AppError('web_search_limit_reached', { limit })
  const open = spaces.filter((space) => (today.bySpace.get(space.knowledgeSpaceId) ?? 0) < space.dailyLimit)
  const [first] = open
  if (!first) {
    throw new AppError('web_search_limit_reached', { limit: Math.max(0, ...spaces.map((space) => space.dailyLimit)) })
  }
  const id = await store.insertSearch(ctx, { spaceId: first.knowledgeSpaceId, provider }, now)
  const listed = listedDomains(open)
  return { id, domains: listed.length > 0 ? listed : listedDomains(spaces) } // what is used up for today still keeps to its list
}

async function ask(search: () => Promise<WebAnswer>): Promise<WebAnswer> {
  try {
    return await search()
  } catch (error) {
    if (error instanceof WebSearchError) throw new AppError('web_search_failed', { reason: error.reason })
    throw error
  }
}
