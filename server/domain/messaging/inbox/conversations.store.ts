// SQL of conversations as the team reads them.
import type { Selectable } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { ConversationsTable } from '#server/platform/db/tables/conversations.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { THREAD_MAX } from '#shared/limits.ts'
import type { Conversation, OpenConversation } from '#shared/messaging/conversations.ts'
import { listTags } from '../conversations/tags.store.ts'
import { listThreads } from '../conversations/threads.store.ts'
import { calledName } from '../customers/contacts.store.ts'
import { listReplying } from '../turns/turn-requests.store.ts'

/** A conversation and who belongs to it. */
export type ConversationRow = Selectable<ConversationsTable> & {
  agent_name: string
  customer_name: string | null
  customer_username: string | null
  customer_person_id: Id<'customers'> | null
  assignee_name: string | null
  assignee_image: string | null
  assignee_job_title: string | null
}

/** One conversation with a customer, with what lists do not show. @throws AppError not_found */
export async function getConversation(ctx: OrgStoreContext, id: Id<'conversations'>): Promise<OpenConversation> {
  const row = await withRating(conversations(ctx))
    .leftJoin('conversation_typing as typing', (join) =>
      join
        .onRef('typing.organization_id', '=', 'conversations.organization_id')
        .onRef('typing.conversation_id', '=', 'conversations.id'),
    )
    .where('conversations.id', '=', id)
    .where('conversations.channel', '<>', 'test')
    .select('typing.customer_at as customer_typing_at')
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  const [conversation] = await toConversations(ctx, [row], THREAD_MAX)
  if (!conversation) throw new AppError('not_found')
  return { ...conversation, rating: ratingOf(row), customerTypingAt: row.customer_typing_at?.getTime() ?? null }
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
      'users.image as assignee_image',
      'users.job_title as assignee_job_title',
    ])
}

/** The same with the customer's last rating. Lists do not show it. */
export function withRating(query: ReturnType<typeof conversations>) {
  return query
    .leftJoin('conversation_ratings as rating', (join) =>
      join
        .onRef('rating.organization_id', '=', 'conversations.organization_id')
        .onRef('rating.conversation_id', '=', 'conversations.id'),
    )
    .select(['rating.score as rating_score', 'rating.comment as rating_comment', 'rating.rated_at'])
}

/** The columns of `withRating`. */
export type RatingRow = { rating_score: number | null; rating_comment: string | null; rated_at: Date | null }

/** The rating of a row; null: none was given. */
export function ratingOf({ rating_score: score, rating_comment: comment, rated_at: at }: RatingRow) {
  return score === null || at === null ? null : { score, comment, at: at.getTime() }
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
    messageCount: row.message_count,
    unreadCount: row.unread_count,
    lastMessage:
      row.last_message_author === null
        ? null
        : { author: row.last_message_author, text: row.last_message_text ?? '', at: row.last_message_at.getTime() },
    folder: row.folder,
    movedAt: row.moved_at?.getTime() ?? null,
    assignee: assigneeOf(row),
    queuedAt: row.queued_at?.getTime() ?? null,
    waitingSince: row.waiting_since?.getTime() ?? null,
    createdAt: row.created_at.getTime(),
  }
}

function assigneeOf(row: ConversationRow): Conversation['assignee'] {
  const { assignee_id: id, assignee_name: name, assignee_job_title: jobTitle } = row
  return id && { _id: id, name: name ?? '', avatar: row.assignee_image || null, jobTitle: jobTitle ?? '' }
}
