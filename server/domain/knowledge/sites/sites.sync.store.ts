// SQL for reading a site. Each write names the attempt it belongs to: after a newer one, a stop or a deletion it changes nothing, and
// the worker learns that it is no longer wanted.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { PageReason, SiteErrorReason, SiteMode, SitePageStatus, SiteStatus } from '#shared/knowledge/sites.ts'

type SiteId = Id<'sites'>

/** One attempt at the present round of a site. A round is one pass over all of its pages. */
export type Claimed = {
  siteId: SiteId
  attempt: number
  round: number
  /** It is known where the round begins. */
  isSeeded: boolean
  /** Only requested pages are read, without following their links. */
  isRetry: boolean
  knowledgeSpaceId: Id<'knowledgeSpaces'>
  url: string
  mode: SiteMode
  maxPages: number
  maxDepth: number
}
export type PendingPage = {
  id: Id<'sitePages'>
  url: string
  depth: number
  /** Hash of the text that a reader sees; null: no document was made. */
  contentHash: string | null
  documentId: Id<'documents'> | null
  /** A user has requested it: read even when a person has deleted its document. */
  isAskedFor: boolean
}
/** The recorded outcome of a page. */
export type PageRecord = {
  status: Exclude<SitePageStatus, 'pending'>
  reason: PageReason | null
  title?: string
  contentHash?: string | null
  documentId?: Id<'documents'> | null
}

/** Begins a new round. @returns false when the site is being read or removed, or gone */
export async function startRound(ctx: OrgStoreContext, id: SiteId, now: Date): Promise<boolean> {
  const row = await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      round: eb('round', '+', 1),
      attempt: eb('attempt', '+', 1),
      status: 'syncing',
      error_reason: null,
      heartbeat_at: now,
      next_sync_at: null,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'not in', ['syncing', 'removing'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** From syncing to stopped, or to the status before pages were re-read; its reader may write no more. @returns whether it was being read */
export async function stopRound(ctx: OrgStoreContext, id: SiteId, now: Date): Promise<boolean> {
  const row = await ctx.db
    .updateTable('sites')
    .set((eb) => ({
      status: eb.fn.coalesce('status_before', sql.lit<SiteStatus>('stopped')),
      status_before: null,
      attempt: eb('attempt', '+', 1),
      heartbeat_at: null,
      next_sync_at: eb.case().when('status_before', 'is', null).then(nextSync(now)).else(eb.ref('next_sync_at')).end(),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'syncing')
    .returning('id')
    .executeTakeFirst()
  if (row) await forgetRetries(ctx, id)
  return row !== undefined
}

/** Cancels requests for single pages: their previous status is restored. */
async function forgetRetries(ctx: OrgStoreContext, id: SiteId): Promise<void> {
  await ctx.db
    .updateTable('site_pages')
    .set((eb) => ({ ...NOT_ASKED_FOR, status: eb.ref('status_before').$notNull(), reason: eb.ref('reason_before') }))
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', '=', id)
    .where('is_retry', '=', true)
    .execute()
}

/** Begins a new attempt; an older one that still runs is fenced off. Undefined when the site is not to be read. */
export async function claimSite(ctx: OrgStoreContext, id: SiteId): Promise<Claimed | undefined> {
  const row = await ctx.db
    .updateTable('sites')
    .set((eb) => ({ attempt: eb('attempt', '+', 1), heartbeat_at: new Date() }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'syncing')
    .returning([
      'attempt',
      'round',
      'seeded_round',
      'status_before',
      'knowledge_space_id',
      'url',
      'mode',
      'max_pages',
      'max_depth',
    ])
    .executeTakeFirst()
  return (
    row && {
      siteId: id,
      attempt: row.attempt,
      round: row.round,
      isSeeded: row.seeded_round === row.round,
      isRetry: row.status_before !== null,
      knowledgeSpaceId: row.knowledge_space_id,
      url: row.url,
      mode: row.mode,
      maxPages: row.max_pages,
      maxDepth: row.max_depth,
    }
  )
}

/** Gives a sign of life. @returns false when the attempt is no longer the current one */
export async function touchSite(ctx: OrgStoreContext, claimed: Claimed): Promise<boolean> {
  const row = await ofAttempt(ctx, claimed).set({ heartbeat_at: new Date() }).returning('id').executeTakeFirst()
  return row !== undefined
}

/** Adds the pages with which the round begins. */
export async function addSeeds(ctx: OrgStoreContext, claimed: Claimed, urls: string[]): Promise<void> {
  await ofAttempt(ctx, claimed).set({ seeded_round: claimed.round }).execute()
  await addPages(ctx, claimed, urls, 0)
}

/** Adds pages to the round, up to the limit; those that are in it already stay unchanged. */
export async function addPages(ctx: OrgStoreContext, claimed: Claimed, urls: string[], depth: number): Promise<void> {
  const { siteId, round, maxPages } = claimed
  if (claimed.isRetry) return // the next round finds them
  const present = await pagesOf(ctx, claimed)
    .where('round', '=', round)
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow()
  const known =
    urls.length > 0
      ? await pagesOf(ctx, claimed).where('round', '=', round).where('url', 'in', urls).select('url').execute()
      : []
  const knownUrls = new Set(known.map((row) => row.url))
  const wanted = urls.filter((url) => !knownUrls.has(url)).slice(0, Math.max(0, maxPages - Number(present.count)))
  if (wanted.length === 0) return
  await ctx.db
    .insertInto('site_pages')
    .values(
      wanted.map((url) => ({
        id: newId('sitePages'),
        organization_id: ctx.organizationId,
        site_id: siteId,
        url,
        depth,
        round,
        status: 'pending',
        reason: null,
        content_hash: null,
        document_id: null,
        fetched_at: null,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['site_id', 'url']).doUpdateSet({ depth, round, status: 'pending', reason: null }),
    )
    .execute()
}

/** The next page to read, those near the beginning first. */
export async function findPending(ctx: OrgStoreContext, claimed: Claimed): Promise<PendingPage | undefined> {
  const row = await pagesOf(ctx, claimed)
    .$if(claimed.isRetry, (query) => query.where('is_retry', '=', true))
    .$if(!claimed.isRetry, (query) => query.where('round', '=', claimed.round))
    .where('status', '=', 'pending')
    .orderBy('depth')
    .orderBy('url')
    .select(['id', 'url', 'depth', 'content_hash', 'document_id', 'is_retry'])
    .limit(1)
    .executeTakeFirst()
  if (!row) return undefined
  const { content_hash: contentHash, document_id: documentId, is_retry: isAskedFor } = row
  return { id: row.id, url: row.url, depth: row.depth, contentHash, documentId, isAskedFor }
}

export async function recordPage(ctx: OrgStoreContext, id: Id<'sitePages'>, record: PageRecord): Promise<void> {
  await ctx.db
    .updateTable('site_pages')
    .set({
      status: record.status,
      reason: record.reason,
      ...NOT_ASKED_FOR,
      fetched_at: new Date(),
      ...(record.title !== undefined && { title: record.title }),
      ...(record.contentHash !== undefined && { content_hash: record.contentHash }),
      ...(record.documentId !== undefined && { document_id: record.documentId }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** Summary of the round: pages by state, and the failure of the first unavailable page. */
export async function sumUpRound(ctx: OrgStoreContext, claimed: Claimed) {
  const rows = await pagesOf(ctx, claimed)
    .where('round', '=', claimed.round)
    .orderBy('depth')
    .orderBy('url')
    .select(['status', 'reason'])
    .execute()
  const count = (status: SitePageStatus) => rows.filter((row) => row.status === status).length
  return { done: count('done'), failed: count('failed'), firstReason: rows.find((row) => row.reason)?.reason ?? null }
}

/** Brings pages that this round has not found into it. @returns how many */
export async function adoptUnseen(ctx: OrgStoreContext, claimed: Claimed): Promise<number> {
  const rows = await ctx.db
    .updateTable('site_pages')
    .set({ round: claimed.round, status: 'pending', reason: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', '=', claimed.siteId)
    .where('round', '<', claimed.round)
    .returning('id')
    .execute()
  return rows.length
}

/** Removes some of the pages that this round has not found. @returns their documents; undefined when there are none left */
export async function forgetUnseen(
  ctx: OrgStoreContext,
  claimed: Claimed,
  limit: number,
): Promise<Id<'documents'>[] | undefined> {
  const rows = await pagesOf(ctx, claimed)
    .where('round', '<', claimed.round)
    .orderBy('id')
    .select(['id', 'document_id'])
    .limit(limit)
    .execute()
  if (rows.length === 0) return undefined
  await ctx.db
    .deleteFrom('site_pages')
    .where('organization_id', '=', ctx.organizationId)
    .where('site_id', '=', claimed.siteId)
    .where(
      'id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  return rows.flatMap((row) => row.document_id ?? [])
}

/** Ends the round. @returns false when the attempt is no longer the current one */
export async function finishRound(
  ctx: OrgStoreContext,
  claimed: Claimed,
  errorReason: SiteErrorReason | null,
): Promise<boolean> {
  const now = new Date()
  const row = await ofAttempt(ctx, claimed)
    .set({
      status: errorReason === null ? 'ready' : 'error',
      error_reason: errorReason,
      heartbeat_at: null,
      last_synced_at: now,
      next_sync_at: nextSync(now),
      updated_at: now,
    })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Of a page without a pending request. */
export const NOT_ASKED_FOR = { is_retry: false, status_before: null, reason_before: null }

type DueSite = { organizationId: Id<'organizations'>; siteId: SiteId; isDueFor: 'round' | 'reader' | 'removal' }

/** Sites of all organizations whose time has come, and those whose worker has given no sign of life since then. */
export async function listDue(ctx: StoreContext, now: Date, stuckSince: Date): Promise<DueSite[]> {
  const rows = await ctx.db
    .selectFrom('sites')
    .where((eb) =>
      eb.or([
        eb.and([eb('status', 'not in', ['syncing', 'removing']), eb('next_sync_at', '<=', now)]),
        eb.and([eb('status', 'in', ['syncing', 'removing']), eb('heartbeat_at', '<', stuckSince)]),
      ]),
    )
    .select(['organization_id', 'id', 'status'])
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    siteId: row.id,
    isDueFor: row.status === 'syncing' ? 'reader' : row.status === 'removing' ? 'removal' : 'round',
  }))
}

/** Counted from then on; never where the site is read by hand alone. */
const nextSync = (from: Date) => sql<Date>`${from}::timestamptz + every_hours * interval '1 hour'`

/** A change of a site of which this is the present attempt. */
export function ofAttempt(ctx: OrgStoreContext, { siteId, attempt }: Claimed) {
  return ctx.db
    .updateTable('sites')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', siteId)
    .where('attempt', '=', attempt)
    .where('status', '=', 'syncing')
}

function pagesOf(ctx: OrgStoreContext, { siteId }: Claimed) {
  return ctx.db.selectFrom('site_pages').where('organization_id', '=', ctx.organizationId).where('site_id', '=', siteId)
}
