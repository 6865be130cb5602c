// SQL of who has a conversation open. Rows expire unless renewed: each announcement removes the expired ones.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_LOOKING_MS } from '#shared/limits.ts'
import type { Presence } from '#shared/messaging/operator-tools.ts'
import { inMilliseconds } from '../turns/turn-requests.store.ts'

/**
 * Who is, or was lately, in any of these conversations, once in each state: as they last announced. The reader decides how old a row may
 * be.
 */
export async function listPresence(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<Presence[]> {
  const rows = await ctx.db
    .selectFrom('conversation_presence')
    .innerJoin('users', 'users.id', 'conversation_presence.user_id')
    .where('conversation_presence.organization_id', '=', ctx.organizationId)
    .where('conversation_presence.conversation_id', 'in', conversationIds)
    .distinctOn(['users.id', 'conversation_presence.state'])
    .select(['users.id', 'users.name', 'users.image', 'users.job_title'])
    .select(['conversation_presence.state', 'conversation_presence.at'])
    .orderBy('users.id')
    .orderBy('conversation_presence.state')
    .orderBy('conversation_presence.at', 'desc')
    .execute()
  return rows.map(({ id, name, image, job_title: jobTitle, state, at }) => ({
    user: { _id: id, name, avatar: image || null, jobTitle },
    state,
    at: at.getTime(),
  }))
}

/** Records what a user does, by the database's clock. */
export async function setPresence(
  ctx: OrgStoreContext,
  place: { conversationId: Id<'conversations'>; userId: Id<'users'> },
  state: Presence['state'],
): Promise<void> {
  const row = {
    organization_id: ctx.organizationId,
    conversation_id: place.conversationId,
    user_id: place.userId,
    state,
    at: sql<Date>`now()`,
  }
  await ctx.db
    .insertInto('conversation_presence')
    .values(row)
    .onConflict((conflict) => conflict.columns(['conversation_id', 'user_id']).doUpdateSet({ state, at: row.at }))
    .execute()
}

/** Removes users whose last announcement in these conversations is too old. */
export async function forgetVanished(ctx: OrgStoreContext, conversationIds: Id<'conversations'>[]): Promise<void> {
  await ctx.db
    .deleteFrom('conversation_presence')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', 'in', conversationIds)
    .where('at', '<', inMilliseconds(-PRESENCE_LOOKING_MS))
    .execute()
}

/** A user has left. */
export async function removePresence(
  ctx: OrgStoreContext,
  place: { conversationId: Id<'conversations'>; userId: Id<'users'> },
): Promise<void> {
  await ctx.db
    .deleteFrom('conversation_presence')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', place.conversationId)
    .where('user_id', '=', place.userId)
    .execute()
}
