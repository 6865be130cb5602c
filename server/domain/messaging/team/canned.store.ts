// SQL for canned replies.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { CANNED_REPLIES_MAX } from '#shared/limits.ts'
import type { CannedReply } from '#shared/messaging/operator-tools.ts'

type Content = Omit<CannedReply, '_id'>

/** All of an organization, by name. */
export async function listCanned(ctx: OrgStoreContext): Promise<CannedReply[]> {
  const rows = await ctx.db
    .selectFrom('canned_replies')
    .where('organization_id', '=', ctx.organizationId)
    .selectAll()
    .orderBy('name')
    .limit(CANNED_REPLIES_MAX)
    .execute()
  return rows.map((row) => ({ _id: row.id, name: row.name, texts: { ru: row.text_ru, en: row.text_en } }))
}

/** Adds a reply. @throws AppError canned_reply_exists, too_many_canned_replies */
export async function insertCanned(ctx: OrgStoreContext, content: Content): Promise<Id<'cannedReplies'>> {
  const { length } = await listCanned(ctx)
  if (length >= CANNED_REPLIES_MAX) throw new AppError('too_many_canned_replies', { max: CANNED_REPLIES_MAX })
  const id = newId('cannedReplies')
  await assertFree(ctx, id, content.name)
  await ctx.db
    .insertInto('canned_replies')
    .values({ id, organization_id: ctx.organizationId, ...columnsOf(content) })
    .execute()
  return id
}

/** @throws AppError not_found, canned_reply_exists */
export async function updateCanned(ctx: OrgStoreContext, id: Id<'cannedReplies'>, content: Content): Promise<void> {
  await assertFree(ctx, id, content.name)
  const changed = await ctx.db
    .updateTable('canned_replies')
    .set(columnsOf(content))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!changed) throw new AppError('not_found')
}

/** @throws AppError not_found */
export async function deleteCanned(ctx: OrgStoreContext, id: Id<'cannedReplies'>): Promise<void> {
  const removed = await ctx.db
    .deleteFrom('canned_replies')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  if (!removed) throw new AppError('not_found')
}

function columnsOf({ name, texts }: Content) {
  return { name, text_ru: texts.ru, text_en: texts.en }
}

async function assertFree(ctx: OrgStoreContext, id: Id<'cannedReplies'>, name: string): Promise<void> {
  const other = await ctx.db
    .selectFrom('canned_replies')
    .where('organization_id', '=', ctx.organizationId)
    .where((eb) => eb(eb.fn('lower', ['name']), '=', eb.fn<string>('lower', [eb.val(name)])))
    .where('id', '<>', id)
    .select('id')
    .executeTakeFirst()
  if (other) throw new AppError('canned_reply_exists', { name })
}
