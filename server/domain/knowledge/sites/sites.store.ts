// SQL for sites as people see them. Writes of the reader are in sites.sync.store.ts.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { SitesTable } from '#server/platform/db/tables/web.ts'
import { type Page, paginate } from '#server/platform/functions/paginate.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Site, SiteEveryHours, SiteMode, SitePage, SitePageStatus } from '#shared/knowledge/sites.ts'
import type { PaginationOpts } from '#shared/schema.ts'

type SiteId = Id<'sites'>
type Counts = Site['pages']
/** A page with the state of its document. */
type PageRow = Awaited<ReturnType<ReturnType<typeof pagesWithDocuments>['executeTakeFirstOrThrow']>>

export type NewSite = {
  id: SiteId
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  url: string
  mode: SiteMode
  maxPages: number
  maxDepth: number
  everyHours: SiteEveryHours | null
}
type Change = {
  maxPages?: number | undefined
  maxDepth?: number | undefined
  everyHours?: SiteEveryHours | null | undefined
}

/** All sites of a space, oldest first. */
export async function listSites(ctx: OrgStoreContext, spaceId: Id<'knowledgeSpaces'>): Promise<Site[]> {
  const rows = await sites(ctx)
    .where('knowledge_space_id', '=', spaceId)
    .orderBy('created_at')
    .orderBy('id')
    .selectAll()
    .execute()
  const counts = await countPages(
    ctx,
    rows.map((row) => row.id),
  )
  return rows.map((row) => toSite(row, counts.get(row.id)))
}

/** @throws AppError not_found */
export async function getSite(ctx: OrgStoreContext, id: SiteId): Promise<Site> {
  const row = await sites(ctx).where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return toSite(row, (await countPages(ctx, [id])).get(id))
}

/** Adds a site that was not read yet. @returns false when the space has it already */
export async function insertSite(ctx: OrgStoreContext, site: NewSite, now: Date): Promise<boolean> {
  const inserted = await ctx.db
    .insertInto('sites')
    .values({
      id: site.id,
      organization_id: ctx.organizationId,
      knowledge_space_id: site.knowledgeSpaceId,
      url: site.url,
      mode: site.mode,
      max_pages: site.maxPages,
      max_depth: site.maxDepth,
      every_hours: site.everyHours,
      status: 'stopped',
      error_reason: null,
      heartbeat_at: null,
      last_synced_at: null,
      next_sync_at: null,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['knowledge_space_id', 'url']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** Changes the given fields. A new interval counts from the last reading. */
export async function updateSite(ctx: OrgStoreContext, id: SiteId, change: Change, now: Date): Promise<void> {
  const { maxPages, maxDepth, everyHours } = change
  await ctx.db
    .updateTable('sites')
    .set({
      updated_at: now,
      ...(maxPages !== undefined && { max_pages: maxPages }),
      ...(maxDepth !== undefined && { max_depth: maxDepth }),
      ...(everyHours !== undefined && {
        every_hours: everyHours,
        next_sync_at: sql<Date>`coalesce(last_synced_at, ${now}::timestamptz) + ${everyHours}::int * interval '1 hour'`,
      }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** By address. */
export function listPages(ctx: OrgStoreContext, siteId: SiteId, opts: PaginationOpts): Promise<Page<SitePage>> {
  const query = pagesWithDocuments(ctx).where('site_pages.site_id', '=', siteId)
  return paginate(ctx, query, opts, { by: [['url', 'text']], direction: 'asc' }, toPage)
}

/** @throws AppError not_found */
export async function getPage(ctx: OrgStoreContext, id: Id<'sitePages'>): Promise<SitePage & { siteId: SiteId }> {
  const row = await pagesWithDocuments(ctx).where('site_pages.id', '=', id).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return { ...toPage(row), siteId: row.site_id }
}

/** Pages by state, of sites that have any. */
export async function countPages(ctx: OrgStoreContext, siteIds: SiteId[]): Promise<Map<SiteId, Counts>> {
  if (siteIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', 'in', siteIds)
    .select((eb) => ['site_id', 'status', eb.fn.countAll<string>().as('count')])
    .groupBy(['site_id', 'status'])
    .execute()
  const counts = new Map<SiteId, Counts>()
  for (const { site_id, status, count } of rows) {
    counts.set(site_id, { ...(counts.get(site_id) ?? NO_PAGES), [status]: Number(count) })
  }
  return counts
}

/** Of a site that has none. */
export const NO_PAGES: Record<SitePageStatus, number> = { pending: 0, done: 0, skipped: 0, failed: 0 }

function sites(ctx: OrgStoreContext) {
  return ctx.db.selectFrom('sites').where('organization_id', '=', ctx.organizationId)
}

function pagesWithDocuments(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('site_pages')
    .leftJoin('documents', (join) =>
      join
        .onRef('documents.id', '=', 'site_pages.document_id')
        .on('documents.organization_id', '=', ctx.organizationId),
    )
    .where('site_pages.organization_id', '=', ctx.organizationId)
    .select([
      'site_pages.id',
      'site_pages.site_id',
      'site_pages.url',
      'site_pages.title',
      'site_pages.status',
      'site_pages.reason',
      'site_pages.document_id',
      'site_pages.fetched_at',
      'documents.status as document_status',
    ])
}

function toSite(row: Selectable<SitesTable>, pages: Counts = NO_PAGES): Site {
  return {
    _id: row.id,
    knowledgeSpaceId: row.knowledge_space_id,
    url: row.url,
    mode: row.mode,
    maxPages: row.max_pages,
    maxDepth: row.max_depth,
    everyHours: row.every_hours,
    status: row.status,
    errorReason: row.status === 'error' ? row.error_reason : null,
    pages,
    lastSyncedAt: row.last_synced_at?.getTime() ?? null,
    nextSyncAt: row.next_sync_at?.getTime() ?? null,
  }
}

function toPage(row: PageRow): SitePage {
  const { document_id: documentId, document_status: status } = row
  return {
    _id: row.id,
    url: row.url,
    title: row.title,
    status: row.status,
    reason: row.reason,
    document: documentId && status ? { _id: documentId, status } : null,
    fetchedAt: row.fetched_at?.getTime() ?? null,
  }
}
