// SQL for removing a site: its pages are removed in batches, each with its document, and the site last.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

type SiteId = Id<'sites'>

/** From any state to removing; its reader may write no more. */
export async function startRemoval(ctx: OrgStoreContext, id: SiteId, now: Date): Promise<void> {
  await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      status: 'removing',
      status_before: null,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: now,
      next_sync_at: null,
      updated_at: now,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Takes some pages out of the list of a site that is being removed. @returns their documents; undefined when no page is left */
export async function takePages(
  ctx: OrgStoreContext,
  id: SiteId,
  most: number,
): Promise<Id<'documents'>[] | undefined> {
  const site = await ctx.db
    .updateTable('sites')
    .set({ heartbeat_at: new Date() })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'removing')
    .returning('id')
    .executeTakeFirst()
  if (!site) return undefined
  const some = ctx.db
    .selectFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', '=', id)
    .select('id')
    .orderBy('id')
    .limit(most)
  const rows = await ctx.db
    .deleteFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', some)
    .returning('document_id')
    .execute()
  return rows.length === 0 ? undefined : rows.flatMap((row) => row.document_id ?? []).sort()
}

/** Deletes a site of which no page is left. */
export async function deleteRemovedSite(ctx: OrgStoreContext, id: SiteId): Promise<void> {
  await ctx.db
    .deleteFrom('sites')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'removing')
    .execute()
}
