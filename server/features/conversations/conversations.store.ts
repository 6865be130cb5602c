// SQL for conversations.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { ConversationsTable } from '#server/db/tables/conversations.ts'
import type { OrgQueryContext } from '#server/functions/context.ts'
import { type Page, paginate } from '#server/functions/paginate.ts'
import type { Channel } from '#shared/channels.ts'
import type { Conversation, ConversationStatus, PauseReason } from '#shared/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { PaginationOpts } from '#shared/schema.ts'
import { isTakenOver } from './conversations.rules.ts'
import { inMilliseconds, listReplying } from './turns.store.ts'
import { takeBackWithheld } from './withheld.store.ts'

type Row = Selectable<ConversationsTable> & {
  agent_name: string
  customer_name: string | null
  customer_username: string | null
}
export type ConversationFilter = {
  status?: ConversationStatus | undefined
  agentId?: Id<'agents'> | undefined
  /** Only those to which a person was called and none has come. */
  needsPerson?: true | undefined
}

/** What decides about a conversation, read for an update: nobody else changes it until the transaction ends. */
export type ConversationState = {
  id: Id<'conversations'>
  status: ConversationStatus
  channel: Channel
  connectionId: Id<'channelConnections'> | null
  externalChatId: string | null
  isConnected: boolean
}

/** Conversations with customers, the one with the newest message first. */
export async function listConversations(
  ctx: Pick<OrgQueryContext, 'db' | 'organizationId' | 'journal'>,
  filter: ConversationFilter,
  opts: PaginationOpts,
): Promise<Page<Conversation>> {
  let query = conversations(ctx).where('conversations.channel', '<>', 'test')
  if (filter.status !== undefined) query = query.where('conversations.status', '=', filter.status)
  if (filter.agentId !== undefined) query = query.where('conversations.agent_id', '=', filter.agentId)
  // As a parameter it would not lead to the index of these few.
  if (filter.needsPerson) query = query.where('conversations.needs_person', '=', sql.lit(true))
  const order = {
    by: [
      ['conversations.last_message_at', 'instant'],
      ['conversations.id', 'text'],
    ],
    direction: 'desc',
  } as const
  const page = await paginate(ctx, query, opts, order, toConversation)
  return { ...page, page: await withReplying(ctx, page.page) }
}

/** One conversation with a customer. @throws AppError not_found */
export async function getConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<Conversation> {
  const row = await conversations(ctx)
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', 'test')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const [conversation] = await withReplying(ctx, [toConversation(row)])
  if (!conversation) throw new AppError('not_found')
  return conversation
}

/** Locks a conversation with a customer and reads what decides about it. @throws AppError not_found */
export async function lockConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<ConversationState> {
  const row = await ctx.db
    .selectFrom('conversations')
    .leftJoin('channel_connections', 'channel_connections.id', 'conversations.connection_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', 'test')
    .select([
      'conversations.id',
      'conversations.status',
      'conversations.channel',
      'conversations.connection_id',
      'conversations.external_chat_id',
      'channel_connections.disconnected_at',
    ])
    .forUpdate('conversations')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return {
    id: row.id,
    status: row.status,
    channel: row.channel,
    connectionId: row.connection_id,
    externalChatId: row.external_chat_id,
    isConnected: row.connection_id !== null && row.disconnected_at === null,
  }
}

/** Whether the customer has said something that nobody has answered, whatever the agent's rules have told them since. */
export async function hasOpenQuestion(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<boolean> {
  const question = await ctx.db
    .selectFrom('messages')
    .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
    .where('messages.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('messages.conversation_id', '=', id)
    .where('messages.author', '=', 'customer')
    .whereRef('messages.sequence', '>', 'conversations.answered_through')
    .select('messages.id')
    .limit(1)
    .executeTakeFirst()
  return question !== undefined
}

/**
 * Silences the agent, at once or for a time. Whatever it is writing is recognised by the epoch and thrown away. Why the conversation
 * was handed over stays known when the person comes who was called.
 */
export async function pause(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  reason: PauseReason,
  resumeAfterMs: number | undefined,
): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      status: 'paused',
      pause_epoch: eb('pause_epoch', '+', 1),
      pause_reason: reason,
      paused_at: sql<Date>`now()`,
      resume_at: resumeAfterMs === undefined ? null : inMilliseconds(resumeAfterMs),
      needs_person: !isTakenOver(reason),
      follow_up_at: null,
      handoff_reason: sql<PauseReason>`case when status = 'paused' then handoff_reason else ${reason} end`,
      handoff_note: sql<string | null>`case when status = 'paused' then handoff_note end`,
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/**
 * Leaves a pause, or ends the conversation. Either cancels the timer, settles calls for a person made so far, and opens again what was
 * answered by nothing but withheld words.
 */
export async function setStatus(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  status: 'active' | 'ended',
): Promise<void> {
  await takeBackWithheld(ctx, id)
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      status,
      pause_reason: null,
      paused_at: null,
      resume_at: null,
      needs_person: false,
      follow_up_at: null,
      phrases_through: eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .where('messages.conversation_id', '=', id)
        .select((select) => select.fn.coalesce(select.fn.max('messages.sequence'), select.lit(0)).as('last')),
      ...(status === 'ended' ? { pause_epoch: eb('pause_epoch', '+', 1) } : {}),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .execute()
}

/** An operator has seen everything so far. */
export async function markRead(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set({ unread_count: 0 })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('unread_count', '>', 0)
    .execute()
}

function conversations(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('conversations')
    .innerJoin('agents', 'agents.id', 'conversations.agent_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .selectAll('conversations')
    .select(['agents.name as agent_name', 'customers.name as customer_name', 'customers.username as customer_username'])
}

async function withReplying(ctx: OrgStoreContext, page: Conversation[]): Promise<Conversation[]> {
  const replying = await listReplying(
    ctx,
    page.map((conversation) => conversation._id),
  )
  return page.map((conversation) => ({ ...conversation, isReplying: replying.has(conversation._id) }))
}

function toConversation(row: Row): Conversation {
  return {
    _id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    channel: row.channel,
    status: row.status,
    resumeAt: row.resume_at?.getTime() ?? null,
    pauseReason: row.pause_reason,
    needsPerson: row.needs_person,
    handoffNote: row.status === 'paused' ? row.handoff_note : null,
    customer:
      row.customer_id === null
        ? null
        : { _id: row.customer_id, name: row.customer_name ?? '', username: row.customer_username },
    rating:
      row.rating_score === null || row.rated_at === null
        ? null
        : { score: row.rating_score, comment: row.rating_comment, at: row.rated_at.getTime() },
    customerTypingAt: row.customer_typing_at?.getTime() ?? null,
    isReplying: false,
    messageCount: row.message_count,
    unreadCount: row.unread_count,
    lastMessage:
      row.last_message_author === null
        ? null
        : { author: row.last_message_author, text: row.last_message_text ?? '', at: row.last_message_at.getTime() },
    createdAt: row.created_at.getTime(),
  }
}
