// SQL for views of the inbox: the organization's, and those of each member.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { INBOX_VIEWS_MAX } from '#shared/limits.ts'
import type { InboxView } from '#shared/messaging/views.ts'

type UserId = Id<'users'>
type Content = Pick<InboxView, 'name' | 'isShared'>

/** The organization's and the reader's own, by name. */
export async function listViews(ctx: OrgStoreContext, userId: UserId): Promise<InboxView[]> {
  const rows = await visible(ctx, userId)
    .leftJoin('inbox_default_views', (join) =>
      join
        .onRef('inbox_default_views.organization_id', '=', 'inbox_views.organization_id')
        .onRef('inbox_default_views.view_id', '=', 'inbox_views.id')
        .on('inbox_default_views.user_id', '=', userId),
    )
    .select(['inbox_views.id', 'inbox_views.name', 'inbox_views.query', 'inbox_views.user_id'])
    .select('inbox_default_views.view_id as default_id')
    .orderBy('inbox_views.name')
    .orderBy('inbox_views.id')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    query: row.query,
    isShared: row.user_id === null,
    isDefault: row.default_id !== null,
  }))
}

/** Adds a view. @throws AppError too_many_views */
export async function insertView(
  ctx: OrgStoreContext,
  userId: UserId,
  { query, ...content }: Content & Pick<InboxView, 'query'>,
): Promise<Id<'inboxViews'>> {
  await assertRoom(ctx, userId, content.isShared)
  const id = newId('inboxViews')
  await ctx.db
    .insertInto('inbox_views')
    .values({ id, organization_id: ctx.organizationId, query, ...columnsOf(content, userId) })
    .execute()
  return id
}

/** @throws AppError not_found for what the user does not see, too_many_views */
export async function updateView(
  ctx: OrgStoreContext,
  userId: UserId,
  id: Id<'inboxViews'>,
  content: Content,
): Promise<void> {
  const { user_id } = await getVisible(ctx, userId, id)
  if ((user_id === null) !== content.isShared) await assertRoom(ctx, userId, content.isShared)
  await ctx.db
    .updateTable('inbox_views')
    .set(columnsOf(content, userId))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** @throws AppError not_found for what the user does not see */
export async function deleteView(ctx: OrgStoreContext, userId: UserId, id: Id<'inboxViews'>): Promise<void> {
  await getVisible(ctx, userId, id)
  await ctx.db
    .deleteFrom('inbox_views')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** @throws AppError not_found for what the user does not see */
export async function setDefaultView(ctx: OrgStoreContext, userId: UserId, id: Id<'inboxViews'> | null): Promise<void> {
  if (id !== null) await getVisible(ctx, userId, id)
  await ctx.db
    .deleteFrom('inbox_default_views')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .execute()
  if (id === null) return
  await ctx.db
    .insertInto('inbox_default_views')
    .values({ organization_id: ctx.organizationId, user_id: userId, view_id: id })
    .execute()
}

function visible({ db, organizationId }: OrgStoreContext, userId: UserId) {
  return db
    .selectFrom('inbox_views')
    .where('inbox_views.organization_id', '=', organizationId)
    .where((eb) => eb.or([eb('inbox_views.user_id', 'is', null), eb('inbox_views.user_id', '=', userId)]))
}

async function getVisible(ctx: OrgStoreContext, userId: UserId, id: Id<'inboxViews'>) {
  const view = await visible(ctx, userId)
    .where('inbox_views.id', '=', id)
    .select('inbox_views.user_id')
    .executeTakeFirst()
  if (!view) throw new AppError('not_found')
  return view
}

async function assertRoom(ctx: OrgStoreContext, userId: UserId, isShared: boolean): Promise<void> {
  const rows = await ctx.db
    .selectFrom('inbox_views')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', isShared ? 'is' : '=', isShared ? null : userId)
    .select('id')
    .limit(INBOX_VIEWS_MAX)
    .execute()
  if (rows.length >= INBOX_VIEWS_MAX) throw new AppError('too_many_views', { max: INBOX_VIEWS_MAX })
}

function columnsOf({ name, isShared }: Content, userId: UserId) {
  return { name, user_id: isShared ? null : userId }
}
