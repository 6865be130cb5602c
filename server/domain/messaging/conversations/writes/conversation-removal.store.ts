// SQL of removing conversations and messages: for their age, by a user, or with their customer.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { forgetComment } from './rating-row.store.ts'
import { forgetSummaries } from './summaries.store.ts'

type ConversationId = Id<'conversations'>

/** Removes conversations with all that belongs to them. */
export async function deleteConversations(ctx: OrgStoreContext, ids: ConversationId[]): Promise<void> {
  if (ids.length === 0) return
  await ctx.db
    .deleteFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** The same for one that was deleted before then. `unless`: a condition on `conversations`. @returns whether it was removed */
export async function deleteOverdue(
  ctx: OrgStoreContext,
  { id, before, unless }: { id: ConversationId; before: Date; unless: RawBuilder<SqlBool> },
): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('folder', '=', 'deleted')
    .where('moved_at', '<', before)
    .where((eb) => eb.not(unless))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes a conversation that has no message, and had none since `cutoff`. @returns its customer; undefined: it stays */
export async function deleteEmptyConversation(
  ctx: OrgStoreContext,
  id: ConversationId,
  cutoff: Date,
): Promise<{ customerId: Id<'customers'> | null } | undefined> {
  const { rows } = await sql<{ customerId: Id<'customers'> | null }>`
    delete from conversations c
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.last_message_at < ${cutoff}
      and not exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id)
    returning c.customer_id as "customerId"`.execute(ctx.db)
  return rows[0]
}

/** Removes messages of a conversation with their attachments. Their parts have been removed before. */
export async function deleteMessages(
  ctx: OrgStoreContext,
  id: ConversationId,
  messageIds: Id<'messages'>[],
): Promise<void> {
  await ctx.db
    .deleteFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', id)
    .where('id', 'in', messageIds)
    .execute()
}

/** Subtracts removed messages from the count of their conversation, and clears what may quote them from the conversation. */
export async function forgetMessages(
  ctx: OrgStoreContext,
  id: ConversationId,
  { count, cutoff }: { count: number; cutoff: Date },
): Promise<void> {
  await sql`update conversations set message_count = greatest(0, message_count - ${count}::int), handoff_note = null
    where organization_id = ${ctx.organizationId} and id = ${id}`.execute(ctx.db)
  await forgetSummaries(ctx, id)
  await forgetComment(ctx, id, cutoff)
}
