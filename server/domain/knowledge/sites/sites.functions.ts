// Sites of a space: the list, reading progress, and the outcome of each page. Reading is in sites.sync.ts.
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import {
  createSiteInput,
  type SiteMode,
  siteInput,
  sitePageInput,
  sitePagesInput,
  sitesInput,
  updateSiteInput,
} from '#shared/knowledge/sites.ts'
import { SITE_DEPTH_DEFAULT, SITE_PAGES_DEFAULT, SITES_MAX } from '#shared/limits.ts'
import { noArgs } from '#shared/schema.ts'
import { assertSpace } from '../spaces/spaces.store.ts'
import { siteAddress } from './site-addresses.rules.ts'
import { startRemoval } from './sites.removal.store.ts'
import { removeSiteLater } from './sites.removal.ts'
import * as retries from './sites.retry.store.ts'
import * as store from './sites.store.ts'
import * as sync from './sites.sync.store.ts'
import { syncLater } from './sites.sync.ts'
import { listSiteWork } from './sites.work.store.ts'

/** All sites of a space, oldest first. @throws not_found */
export const list = orgQuery({
  args: sitesInput,
  handler: async (ctx, { knowledgeSpaceId }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    return store.listSites(ctx, knowledgeSpaceId)
  },
})

/** Sites of all spaces that are being read or removed, and those that came to an end last. */
export const listWork = orgQuery({ args: noArgs, handler: (ctx) => listSiteWork(ctx) })

/** The pages of a site by address. @throws not_found */
export const pages = orgQuery({
  args: sitePagesInput,
  handler: async (ctx, { siteId, paginationOpts }) => {
    await getSite(ctx, siteId)
    return store.listPages(ctx, siteId, paginationOpts)
  },
})

/** Adds a site and begins to read it. @throws not_found, site_address_invalid, site_exists, too_many_sites */
export const create = orgMutation({
  args: createSiteInput,
  handler: async (ctx, { knowledgeSpaceId, mode, ...given }) => {
    await assertSpace(ctx, knowledgeSpaceId)
    const url = addressOf(given.url, mode)
    const known = await store.listSites(ctx, knowledgeSpaceId)
    if (known.length >= SITES_MAX) throw new AppError('too_many_sites', { max: SITES_MAX })
    const { maxPages = SITE_PAGES_DEFAULT, maxDepth = SITE_DEPTH_DEFAULT, everyHours = null } = given
    const site = { id: newId('sites'), knowledgeSpaceId, url, mode, maxPages, maxDepth, everyHours }
    if (!(await store.insertSite(ctx, site, ctx.now))) throw new AppError('site_exists')
    await begin(ctx, site.id)
    return store.getSite(ctx, site.id)
  },
})

/** Changes the fields in the patch; takes effect with the next reading. @throws not_found */
export const update = orgMutation({
  args: updateSiteInput,
  handler: async (ctx, { siteId, patch }) => {
    await getSite(ctx, siteId)
    await store.updateSite(ctx, siteId, patch, ctx.now)
    return store.getSite(ctx, siteId)
  },
})

/** Reads a site again: changed pages get new content, missing ones are removed. @throws not_found, site_syncing */
export const syncNow = orgMutation({
  args: siteInput,
  handler: async (ctx, { siteId }) => {
    await getSite(ctx, siteId)
    await begin(ctx, siteId)
  },
})

/** Stops reading; pages already read stay. @throws not_found, site_not_syncing */
export const cancel = orgMutation({
  args: siteInput,
  handler: async (ctx, { siteId }) => {
    await getSite(ctx, siteId)
    if (!(await sync.stopRound(ctx, siteId, ctx.now))) throw new AppError('site_not_syncing')
  },
})

/** Reads one page again and no other, also one whose document was deleted. @throws not_found */
export const retryPage = orgMutation({
  args: sitePageInput,
  handler: async (ctx, { sitePageId }) => {
    const { siteId } = await store.getPage(ctx, sitePageId)
    await getSite(ctx, siteId)
    const status = await retries.lockSite(ctx, siteId)
    await retries.askAgain(ctx, sitePageId)
    if (status === 'syncing') return // the running reader gets to it
    await retries.beginRetries(ctx, siteId, ctx.now)
    await syncLater(ctx, siteId)
  },
})

/** Removes a site with all documents made from its pages, in the background: `list` shows what is left of it. @throws not_found */
export const remove = orgMutation({
  args: siteInput,
  handler: async (ctx, { siteId }) => {
    await getSite(ctx, siteId)
    await startRemoval(ctx, siteId, ctx.now)
    await removeSiteLater(ctx, siteId)
  },
})

/** Not of a space that was removed, and not one that is being removed. @throws AppError not_found */
async function getSite(ctx: Parameters<typeof store.getSite>[0], siteId: Id<'sites'>) {
  const site = await store.getSite(ctx, siteId)
  if (site.status === 'removing') throw new AppError('not_found')
  await assertSpace(ctx, site.knowledgeSpaceId)
  return site
}

async function begin(ctx: OrgMutationContext, siteId: Id<'sites'>): Promise<void> {
  if (!(await sync.startRound(ctx, siteId, ctx.now))) throw new AppError('site_syncing')
  await syncLater(ctx, siteId)
}

/** A host alone has its sitemap where sitemaps usually are. */
function addressOf(written: string, mode: SiteMode): string {
  const address = siteAddress(written)
  if (!address) throw new AppError('site_address_invalid')
  const { pathname } = new URL(address)
  return mode === 'sitemap' && pathname === '/' ? new URL('/sitemap.xml', address).href : address
}
