// SQL for the chats in which the alert bot writes to people of the team.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { AlertChat, AlertSettings } from '#shared/organizations/alerts.ts'

/** A person's chat with the bot; null: none. */
export async function findChat(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
): Promise<(AlertChat & { chatId: string }) | null> {
  const row = await ctx.db
    .selectFrom('alert_chats')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .select(['chat_id', 'name'])
    .executeTakeFirst()
  return row?.chat_id ? { chatId: row.chat_id, name: row.name ?? '' } : null
}

/** Opens a code for a while, in the place of one that was open before. The chat stays until another one shows the code. */
export async function openCode(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
  hash: string,
  minutes: number,
): Promise<void> {
  await sql`insert into alert_chats (organization_id, user_id, code_hash, code_until)
    values (${ctx.organizationId}, ${userId}, ${hash}, now() + ${minutes}::int * interval '1 minute')
    on conflict (organization_id, user_id) do update set code_hash = excluded.code_hash, code_until = excluded.code_until`.execute(
    ctx.db,
  )
}

/** Unlinks a person's chat and revokes their open code. Safe to repeat. */
export async function forgetChat(ctx: OrgStoreContext, userId: Id<'users'>): Promise<void> {
  await ctx.db
    .deleteFrom('alert_chats')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .execute()
}

/** Whose chat it is by now. `language`: null where the person has chosen none. */
export type Joined = { organization: string; language: AlertSettings['language'] | null }

/** Links a chat to the person who owns the code. @returns null: no such code is open */
export async function joinByCode(
  ctx: StoreContext,
  { hash, chatId, name }: { hash: string; chatId: string; name: string },
): Promise<Joined | null> {
  const { rows } = await sql<Joined>`
    update alert_chats a set chat_id = ${chatId}, name = ${name}, code_hash = null, code_until = null
    from organizations o
    where a.code_hash = ${hash} and a.code_until > now() and o.id = a.organization_id
      and exists (select from members m where m.organization_id = a.organization_id and m.user_id = a.user_id)
    returning o.name as organization, (select s.settings->>'language' from alert_settings s
      where s.organization_id = a.organization_id and s.user_id = a.user_id) as language`.execute(ctx.db)
  return rows[0] ?? null
}

/** Unlinks a chat. @returns the number of people it was linked to */
export async function leaveChat(ctx: StoreContext, chatId: string): Promise<number> {
  const { numDeletedRows } = await ctx.db.deleteFrom('alert_chats').where('chat_id', '=', chatId).executeTakeFirst()
  return Number(numDeletedRows)
}

/** Whether the chat is linked to anyone. */
export async function isChatKnown(ctx: StoreContext, chatId: string): Promise<boolean> {
  const row = await ctx.db.selectFrom('alert_chats').where('chat_id', '=', chatId).select('user_id').executeTakeFirst()
  return row !== undefined
}

/** Whether a bot answers customers of some organization. */
export async function isBotConnected({ db }: StoreContext, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('channel_connections')
    .where('channel', '=', 'telegram')
    .where('external_account_id', '=', accountId)
    .where('disconnected_at', 'is', null)
    .select('id')
    .executeTakeFirst()
  return row !== undefined
}
