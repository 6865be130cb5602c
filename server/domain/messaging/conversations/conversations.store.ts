// SQL for conversations.
import { type Selectable, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ConversationsTable } from '#server/platform/db/tables/conversations.ts'
import type { Channel } from '#shared/channels/channels.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import type {
  Conversation,
  ConversationPlace,
  ConversationStatus,
  PauseReason,
} from '#shared/messaging/conversations.ts'
import { calledName } from '../customers/contacts.store.ts'
import { listReplying } from '../turns/turn-requests.store.ts'
import { isTakenOver } from './conversations.rules.ts'
import { listTags } from './tags.store.ts'
import { listThreads } from './threads.store.ts'
import { speakAgain, takeBackWithheld } from './withheld.store.ts'

/** A conversation and who belongs to it. */
export type ConversationRow = Selectable<ConversationsTable> & {
  agent_name: string
  customer_name: string | null
  customer_username: string | null
  customer_person_id: Id<'customers'> | null
  assignee_name: string | null
}

/** What decides about a conversation, read for an update: no other transaction changes it until this one ends. */
export type ConversationState = {
  id: Id<'conversations'>
  status: ConversationStatus
  place: ConversationPlace
  channel: Channel
  connectionId: Id<'channelConnections'> | null
  externalChatId: string | null
  isConnected: boolean
}

/** One conversation with a customer. @throws AppError not_found */
export async function getConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<Conversation> {
  const row = await conversations(ctx)
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', 'test')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const [conversation] = await toConversations(ctx, [row], THREAD_MAX)
  if (!conversation) throw new AppError('not_found')
  return conversation
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
      'conversations.place',
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
    place: row.place,
    channel: row.channel,
    connectionId: row.connection_id,
    externalChatId: row.external_chat_id,
    isConnected: row.connection_id !== null && row.disconnected_at === null,
  }))
}

/** Of these, those with an unanswered message of the customer; notices that the agent's rules have sent since do not count. */
export async function listWithOpenQuestions(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
): Promise<Id<'conversations'>[]> {
  if (ids.length === 0) return []
  const rows = await ctx.db
    .selectFrom('conversations')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.id', 'in', ids)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('messages')
          .where('messages.organization_id', '=', ctx.organizationId)
          .whereRef('messages.conversation_id', '=', 'conversations.id')
          .where('messages.author', '=', 'customer')
          .where('messages.reason', 'is distinct from', 'rating')
          .whereRef('messages.sequence', '>', 'conversations.answered_through')
          .select('messages.id'),
      ),
    )
    .select('conversations.id')
    .execute()
  return rows.map(({ id }) => id)
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
      follow_up_at = null,
      handoff_reason = case when c.status = 'paused' then c.handoff_reason else new.reason end,
      handoff_note = case when c.status = 'paused' then c.handoff_note end
    from unnest(${pauses.map(({ id }) => id)}::text[], ${pauses.map(({ reason }) => reason)}::text[],
        ${pauses.map(({ by }) => by ?? null)}::text[], ${pauses.map(({ resumeAfterMs }) => resumeAfterMs ?? null)}::float8[],
        ${pauses.map(({ reason }) => !isTakenOver(reason))}::boolean[])
      as new (id, reason, by, resume_after_ms, needs_person)
    where c.organization_id = ${ctx.organizationId} and c.id = new.id`.execute(ctx.db)
}

/**
 * Leaves pauses, or ends conversations. Either cancels the timer, settles calls for a person made so far, and reopens questions that were
 * answered only by withheld messages.
 */
export async function setStatus(
  ctx: OrgStoreContext,
  ids: Id<'conversations'>[],
  status: 'active' | 'ended',
): Promise<void> {
  if (ids.length === 0) return
  await (status === 'active' ? speakAgain(ctx, ids) : takeBackWithheld(ctx, ids))
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      status,
      pause_reason: null,
      paused_at: null,
      paused_by: null,
      resume_at: null,
      needs_person: false,
      follow_up_at: null,
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

/** Conversations with the names of those who belong to them. */
export function conversations(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('conversations')
    .innerJoin('agents', 'agents.id', 'conversations.agent_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .leftJoin('users', 'users.id', 'conversations.assignee_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .selectAll('conversations')
    .select([
      'agents.name as agent_name',
      calledName.as('customer_name'),
      'customers.username as customer_username',
      'customers.person_id as customer_person_id',
      'users.name as assignee_name',
    ])
}

/** The rows as the inbox shows them. @param mostParts how many of the conversations that each is shown as one with are named */
export async function toConversations(
  ctx: OrgStoreContext,
  rows: ConversationRow[],
  mostParts: number,
): Promise<Conversation[]> {
  const ids = rows.map((row) => row.id)
  const replying = await listReplying(ctx, ids)
  const tags = await listTags(ctx, ids)
  const threads = await listThreads(ctx, [...new Set(rows.flatMap((row) => row.thread_id ?? []))])
  return rows.map((row) => ({
    ...toConversation(row),
    isReplying: replying.has(row.id),
    tags: tags.get(row.id) ?? [],
    thread: threadOf(row, threads, mostParts),
  }))
}

/** The thread of a conversation; null when the others in it were removed for good. */
function threadOf(
  { thread_id: id }: ConversationRow,
  threads: Awaited<ReturnType<typeof listThreads>>,
  mostParts: number,
): Conversation['thread'] {
  const parts = id === null ? [] : (threads.get(id) ?? [])
  return id === null || parts.length < 2 ? null : { _id: id, count: parts.length, parts: parts.slice(0, mostParts) }
}

function customerOf(row: ConversationRow): Conversation['customer'] {
  if (row.customer_id === null) return null
  return {
    _id: row.customer_id,
    contactId: row.customer_person_id ?? row.customer_id,
    name: row.customer_name ?? '',
    username: row.customer_username,
  }
}

function toConversation(row: ConversationRow): Omit<Conversation, 'isReplying' | 'tags' | 'thread'> {
  return {
    _id: row.id,
    agentId: row.agent_id,
    agentName: row.agent_name,
    channel: row.channel,
    status: row.status,
    resumeAt: row.resume_at?.getTime() ?? null,
    pauseReason: row.pause_reason,
    needsPerson: row.needs_person,
    calledFor: row.needs_person ? row.handoff_reason : null,
    handoffNote: row.status === 'paused' ? row.handoff_note : null,
    customer: customerOf(row),
    rating:
      row.rating_score === null || row.rated_at === null
        ? null
        : { score: row.rating_score, comment: row.rating_comment, at: row.rated_at.getTime() },
    customerTypingAt: row.customer_typing_at?.getTime() ?? null,
    messageCount: row.message_count,
    unreadCount: row.unread_count,
    lastMessage:
      row.last_message_author === null
        ? null
        : { author: row.last_message_author, text: row.last_message_text ?? '', at: row.last_message_at.getTime() },
    place: row.place,
    placedAt: row.placed_at?.getTime() ?? null,
    assignee: row.assignee_id === null ? null : { _id: row.assignee_id, name: row.assignee_name ?? '' },
    queuedAt: row.queued_at?.getTime() ?? null,
    waitingSince: row.waiting_since?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  }
}
