// SQL for files of conversations: the exports, their progress, and what is read for them.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { paginate } from '#server/platform/functions/paginate.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_PARTS_LISTED } from '#shared/limits.ts'
import type { Export, ExportedSet, ExportManner, ExportStatus } from '#shared/messaging/exports.ts'
import {
  type ConversationRow,
  type RatingRow,
  ratingOf,
  toConversations,
  withRating,
} from '../inbox/conversations.store.ts'
import { type FewTagged, fewTagged, filtered } from '../inbox/inbox.store.ts'
import type { ExportedConversation } from './exports.rules.ts'

/** How many exports are listed; older ones are gone or no longer of interest. */
const LISTED = 50
const BEGUN = {
  by: [
    ['conversations.created_at', 'instant'],
    ['conversations.id', 'text'],
  ],
  direction: 'asc',
} as const

/** What the job that writes a file needs. */
export type OpenExport = { chosen: ExportedSet; manner: ExportManner; fileKey: string; createdAt: Date }

/** The newest exports first. */
export async function listExports(ctx: OrgStoreContext): Promise<Export[]> {
  const rows = await ctx.db
    .selectFrom('exports')
    .leftJoin('users', 'users.id', 'exports.user_id')
    .where('exports.organization_id', '=', ctx.organizationId)
    .selectAll('exports')
    .select('users.name as user_name')
    .orderBy('exports.created_at', 'desc')
    .orderBy('exports.id', 'desc')
    .limit(LISTED)
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    format: row.manner.format,
    status: row.status,
    done: row.done,
    total: row.total,
    sizeBytes: row.size_bytes === null ? null : Number(row.size_bytes),
    author: row.user_id === null ? null : { _id: row.user_id, name: row.user_name ?? '' },
    createdAt: row.created_at.getTime(),
    expiresAt: row.status === 'ready' ? (row.expires_at?.getTime() ?? null) : null,
  }))
}

/** How many are waiting or being written. */
export async function countOpen(ctx: OrgStoreContext): Promise<number> {
  const { open } = await ctx.db
    .selectFrom('exports')
    .where('organization_id', '=', ctx.organizationId)
    .where('status', 'in', ['waiting', 'running'])
    .select(({ fn }) => fn.countAll<number>().as('open'))
    .executeTakeFirstOrThrow()
  return Number(open)
}

/** Adds a requested export. */
export async function insertExport(
  ctx: OrgStoreContext,
  asked: { userId: Id<'users'>; name: string; chosen: ExportedSet; manner: ExportManner },
): Promise<Id<'exports'>> {
  const id = newId('exports')
  await ctx.db
    .insertInto('exports')
    .values({
      id,
      organization_id: ctx.organizationId,
      user_id: asked.userId,
      name: asked.name,
      chosen: JSON.stringify(asked.chosen),
      manner: JSON.stringify(asked.manner),
      total: null,
      file_key: `export-${id}.${asked.manner.format}`,
      size_bytes: null,
      expires_at: null,
    })
    .execute()
  return id
}

/** @throws AppError not_found */
export async function getExport(
  ctx: OrgStoreContext,
  id: Id<'exports'>,
): Promise<{ name: string; status: ExportStatus; fileKey: string; manner: ExportManner; expiresAt: Date | null }> {
  const row = await ctx.db
    .selectFrom('exports')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .select(['name', 'status', 'file_key as fileKey', 'manner', 'expires_at as expiresAt'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Claims a file, also one that another process has begun and not finished. Undefined: it has finished, or was cancelled. */
export async function takeExport(ctx: OrgStoreContext, id: Id<'exports'>): Promise<OpenExport | undefined> {
  return ctx.db
    .updateTable('exports')
    .set({ status: 'running', done: 0, heartbeat_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .returning(['chosen', 'manner', 'file_key as fileKey', 'created_at as createdAt'])
    .executeTakeFirst()
}

/** Records the progress. @returns false when the export was cancelled */
export async function noteProgress(
  ctx: OrgStoreContext,
  id: Id<'exports'>,
  progress: { done: number; total: number },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('exports')
    .set({ ...progress, heartbeat_at: sql<Date>`now()` })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends it as done, failed or cancelled, once. `sizeBytes`: of the finished file. @returns false when it had ended already */
export async function endExport(
  ctx: OrgStoreContext,
  id: Id<'exports'>,
  end: { status: 'ready'; sizeBytes: number; expiresAt: Date } | { status: 'failed' | 'cancelled'; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('exports')
    .set({
      status: end.status,
      expires_at: end.expiresAt,
      ...(end.status === 'ready' && { size_bytes: end.sizeBytes, done: sql<number>`coalesce(total, done)` }),
    })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('status', 'in', ['waiting', 'running'])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Removes a row. @returns where its file is @throws AppError not_found */
export async function deleteExport(ctx: OrgStoreContext, id: Id<'exports'>): Promise<string> {
  const row = await ctx.db
    .deleteFrom('exports')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('file_key')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.file_key
}

/** Removes, over all organizations, what has expired and what was given up. @returns where the files are */
export async function deleteExpired(ctx: StoreContext, now: Date, givenUp: Date): Promise<string[]> {
  const rows = await ctx.db
    .deleteFrom('exports')
    .where((eb) =>
      eb.or([
        eb('expires_at', '<', now),
        eb.and([eb('status', 'in', ['waiting', 'running']), eb('heartbeat_at', '<', givenUp)]),
      ]),
    )
    .returning('file_key')
    .execute()
  return rows.map(({ file_key: key }) => key)
}

/** How many conversations a set has now. */
export async function countChosen(ctx: OrgStoreContext, chosen: ExportedSet): Promise<number> {
  const { count } = await chosenFrom(ctx, chosen, await fewTagged(ctx, chosen.filter))
    .clearSelect()
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Some conversations of a set, oldest first. `next`: where to continue; null when there are no more. */
export async function listChosen(
  ctx: OrgStoreContext,
  chosen: ExportedSet,
  cursor: string | null,
  limit: number,
): Promise<{ conversations: ExportedConversation[]; next: string | null }> {
  const opts = { numItems: limit, cursor }
  const query = withRating(chosenFrom(ctx, chosen, await fewTagged(ctx, chosen.filter)))
  const found = await paginate(ctx, query, opts, BEGUN, (row): ConversationRow & RatingRow => row)
  const ratings = new Map(found.page.map((row) => [row.id, ratingOf(row)]))
  const conversations = await toConversations(ctx, found.page, THREAD_PARTS_LISTED)
  return {
    conversations: conversations.map((each) => ({ ...each, rating: ratings.get(each._id) ?? null })),
    next: found.isDone ? null : found.continueCursor,
  }
}

function chosenFrom(ctx: OrgStoreContext, { filter, conversationIds }: ExportedSet, few: FewTagged) {
  const query = filtered(ctx, filter, few)
  return conversationIds ? query.where('conversations.id', 'in', conversationIds) : query
}
