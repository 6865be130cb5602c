// SQL for re-reading single pages of a site: an idle site returns to its previous status when they are read.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { SiteStatus } from '#shared/knowledge/sites.ts'
import { type Claimed, NOT_ASKED_FOR, ofAttempt } from './sites.sync.store.ts'

type SiteId = Id<'sites'>

/** The state of a site, locked until the end of the transaction: no reader can finish without having seen the request. */
export async function lockSite(ctx: OrgStoreContext, id: SiteId): Promise<SiteStatus | undefined> {
  const row = await ctx.db
    .selectFrom('sites')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select('status')
    .forUpdate()
    .executeTakeFirst()
  return row?.status
}

/** From idle to syncing, only for the requested pages. */
export async function beginRetries(ctx: OrgStoreContext, id: SiteId, now: Date): Promise<void> {
  await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      status: 'syncing',
      status_before: eb
        .case('status')
        .when('ready')
        .then('ready' as const)
        .when('error')
        .then('error' as const)
        .else('stopped' as const)
        .end(),
      heartbeat_at: now,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'not in', ['syncing', 'removing'])
    .execute()
}

/** Queues a page for reading, whatever its status: separately, or in the current round. */
export async function askAgain(ctx: OrgStoreContext, id: Id<'sitePages'>): Promise<void> {
  await ctx.db
    .updateTable('site_pages')
    .set((eb) => ({
      status: 'pending',
      reason: null,
      is_retry: true,
      status_before: eb.fn.coalesce('status_before', 'status'),
      reason_before: eb
        .case()
        .when('status_before', 'is', null)
        .then(eb.ref('reason'))
        .else(eb.ref('reason_before'))
        .end(),
      round: eb
        .selectFrom('sites')
        .whereRef('sites.id', '=', 'site_pages.site_id')
        .where('sites.organization_id', '=', ctx.organizationId)
        .select('round'),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** None of the requested pages is available. */
export async function missRetries(ctx: OrgStoreContext, { siteId }: Claimed): Promise<void> {
  await ctx.db
    .updateTable('site_pages')
    .set({ status: 'failed', reason: 'unreachable', ...NOT_ASKED_FOR, fetched_at: new Date() })
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', '=', siteId)
    .where('is_retry', '=', true)
    .where('status', '=', 'pending')
    .execute()
}

/** Returns the site to its previous status. No-op when the attempt is no longer the current one. */
export async function endRetries(ctx: OrgStoreContext, claimed: Claimed): Promise<void> {
  await ofAttempt(ctx, claimed)
    .set((eb) => ({
      status: eb.fn.coalesce('status_before', 'status'),
      status_before: null,
      heartbeat_at: null,
      updated_at: new Date(),
    }))
    .execute()
}
