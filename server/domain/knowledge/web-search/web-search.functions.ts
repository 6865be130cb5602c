// Web search of spaces: what each allows, and trying it out. The search itself is in web-search.run.ts.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import {
  testWebSearchInput,
  updateWebSearchInput,
  type WebSearchState,
  webDomainInput,
  webSearchSpaceInput,
} from '#shared/agents/web-search.ts'
import { AppError } from '#shared/errors.ts'
import { WEB_DOMAINS_MAX } from '#shared/limits.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { domainOf } from './web-search.rules.ts'
import { searchWeb } from './web-search.run.ts'
import * as store from './web-search.store.ts'

/** @throws not_found */
export const get = orgQuery({
  args: webSearchSpaceInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.getSettings(ctx, knowledgeSpaceId)
  },
})

/** Who searches, and how much is used up today. An action, since both change without a row that changes. @throws not_found */
export const state = orgAction({
  args: webSearchSpaceInput,
  handler: async (ctx, { knowledgeSpaceId }): Promise<WebSearchState> => {
    const today = await ctx.read(async (read) => {
      await assertSpace(read, knowledgeSpaceId)
      return store.countToday(read, ctx.now)
    })
    const { webSearch } = ctx.services
    return {
      provider: webSearch?.provider ?? null,
      usedToday: today.bySpace.get(knowledgeSpaceId) ?? 0,
      organization: { usedToday: today.inAll, dailyLimit: webSearch?.organizationDailyLimit ?? 0 },
    }
  },
})

/** Changes what the patch names. @throws not_found */
export const update = orgMutation({
  args: updateWebSearchInput,
  handler: async (ctx, { knowledgeSpaceId, patch }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    await store.saveSettings(ctx, knowledgeSpaceId, patch, ctx.now)
    return store.getSettings(ctx, knowledgeSpaceId)
  },
})

/** Adds a domain to those that are searched. @throws not_found, domain_invalid, domain_exists, too_many_domains */
export const addDomain = orgMutation({
  args: webDomainInput,
  handler: async (ctx, { knowledgeSpaceId, domain: written }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const domain = domainOf(written)
    if (!domain) throw new AppError('domain_invalid')
    const domains = (await store.getSettings(ctx, knowledgeSpaceId)).domains.map((known) => known.domain)
    if (domains.includes(domain)) throw new AppError('domain_exists', { domain })
    if (domains.length >= WEB_DOMAINS_MAX) throw new AppError('too_many_domains', { max: WEB_DOMAINS_MAX })
    await store.saveSettings(ctx, knowledgeSpaceId, { domains: [...domains, domain] }, ctx.now)
    return store.getSettings(ctx, knowledgeSpaceId)
  },
})

/** Safe to repeat. @throws not_found */
export const removeDomain = orgMutation({
  args: webDomainInput,
  handler: async (ctx, { knowledgeSpaceId, domain }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const { domains } = await store.getSettings(ctx, knowledgeSpaceId)
    const left = domains.map((known) => known.domain).filter((known) => known !== domain)
    await store.saveSettings(ctx, knowledgeSpaceId, { domains: left }, ctx.now)
    return store.getSettings(ctx, knowledgeSpaceId)
  },
})

/**
 * Searches as agents do, whether or not they may already. Counted like their searches.
 * @throws not_found, web_search_not_configured, web_search_limit_reached, web_search_failed
 */
export const test = orgAction({
  args: testWebSearchInput,
  handler: async (ctx, { knowledgeSpaceId, query }) => {
    const settings = await ctx.read(async (read) => {
      await assertSpace(read, knowledgeSpaceId)
      return store.getSettings(read, knowledgeSpaceId)
    })
    const counted = { agentId: null, category: 'helper_generation', channel: 'test' } as const
    const { organizationId } = ctx
    return searchWeb(ctx.services, { organizationId, spaces: [settings], query, ...counted }, ctx.signal)
  },
})
