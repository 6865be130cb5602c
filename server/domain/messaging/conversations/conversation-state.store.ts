// SQL of what decides about a conversation: it is locked and read, its agent is silenced or speaks again, it is read.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationFolder, ConversationStatus, PauseReason } from '#shared/messaging/conversations.ts'
import { isTakenOver } from './conversations.rules.ts'

/** What decides about a conversation, read for an update: no other transaction changes it until this one ends. */
export type ConversationState = {
  id: Id<'conversations'>
  status: ConversationStatus
  folder: ConversationFolder
  channel: Channel
  connectionId: Id<'channelConnections'> | null
  externalChatId: string | null
  isConnected: boolean
}

/** Locks a conversation with a customer and reads what decides about it. @throws AppError not_found */
export async function lockConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<ConversationState> {
  const [locked] = await lockConversations(ctx, [id])
  if (!locked) throw new AppError('not_found')
  return locked
}

/** Locks those of these conversations with customers that exist, in the order in which all transactions lock several. */
export async function lockConversations(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
): Promise<ConversationState[]> {
  const rows = await ctx.db
    .selectFrom('conversations')
    .leftJoin('channel_connections', 'channel_connections.id', 'conversations.connection_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.id', 'in', ids)
    .where('conversations.channel', '<>', 'test')
    .select([
      'conversations.id',
      'conversations.status',
      'conversations.folder',
      'conversations.channel',
      'conversations.connection_id',
      'conversations.external_chat_id',
      'channel_connections.disconnected_at',
    ])
    .orderBy('conversations.id')
    .forUpdate('conversations')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    status: row.status,
    folder: row.folder,
    channel: row.channel,
    connectionId: row.connection_id,
    externalChatId: row.external_chat_id,
    isConnected: row.connection_id !== null && row.disconnected_at === null,
  }))
}

/** `by`: the operator, where known. `resumeAfterMs` left out: until an operator resumes the agent. */
export type Pause = {
  id: Id<'conversations'>
  reason: PauseReason
  by?: Id<'users'> | null
  resumeAfterMs?: number | undefined
}

/**
 * Silences the agent of each of these conversations, at once or for a time. What it is writing is marked as outdated by the epoch, and
 * discarded. Why the conversation was handed over stays known when the operator who was called comes.
 */
export async function pause(ctx: OrgStoreContext, pauses: Pause[]): Promise<void> {
  if (pauses.length === 0) return
  await sql`
    update conversations c set status = 'paused', pause_epoch = c.pause_epoch + 1, pause_reason = new.reason, paused_at = now(),
      paused_by = new.by, resume_at = now() + new.resume_after_ms * interval '1 millisecond', needs_person = new.needs_person,
      handoff_reason = case when c.status = 'paused' then c.handoff_reason else new.reason end,
      handoff_note = case when c.status = 'paused' then c.handoff_note end
    from unnest(${pauses.map(({ id }) => id)}::text[], ${pauses.map(({ reason }) => reason)}::text[],
        ${pauses.map(({ by }) => by ?? null)}::text[], ${pauses.map(({ resumeAfterMs }) => resumeAfterMs ?? null)}::float8[],
        ${pauses.map(({ reason }) => !isTakenOver(reason))}::boolean[])
      as new (id, reason, by, resume_after_ms, needs_person)
    where c.organization_id = ${ctx.organizationId} and c.id = new.id`.execute(ctx.db)
}

/** Leaves pauses, or ends conversations. Either cancels the timer and settles calls for a person made so far. See conversation-status.ts. */
export async function writeStatus(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
  status: 'active' | 'ended',
): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      status,
      pause_reason: null,
      paused_at: null,
      paused_by: null,
      resume_at: null,
      needs_person: false,
      phrases_through: eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .whereRef('messages.conversation_id', '=', 'conversations.id')
        .select((select) => select.fn.coalesce(select.fn.max('messages.sequence'), select.lit(0)).as('last')),
      ...(status === 'ended' ? { pause_epoch: eb('pause_epoch', '+', 1) } : {}),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
}

/** An operator has seen everything so far. */
export async function markRead(ctx: OrgStoreContext, ids: Id<'conversations'>[]): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ unread_count: 0 })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .where('unread_count', '>', 0)
    .execute()
}
