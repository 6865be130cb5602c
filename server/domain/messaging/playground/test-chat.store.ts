// SQL of the test chat: two conversations, at most, for each agent and user, which no channel and no inbox ever sees.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { SharedChat, SharedMessage, TestChatState, TestVariant } from '#shared/messaging/test-chat.ts'
import type { SharedPart } from './test-chat.links.ts'

/** How much of each shared chat is shown. */
const SHARED_MESSAGES = 500

type Chat = { agentId: Id<'agents'>; userId: Id<'users'>; variant: TestVariant }

/** The user's test chat with an agent, undefined before the first message and after clearing. */
export async function findChat(ctx: OrgStoreContext, chat: Chat): Promise<Id<'conversations'> | undefined> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', chat.agentId)
    .where('test_user_id', '=', chat.userId)
    .where('test_variant', '=', chat.variant)
    .select('id')
    .executeTakeFirst()
  return row?.id
}

/** The user's test chat as a conversation is: whether the agent speaks in it, and why not. Null before the first message. */
export async function findState(ctx: OrgStoreContext, chat: Chat): Promise<TestChatState | null> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', chat.agentId)
    .where('test_user_id', '=', chat.userId)
    .where('test_variant', '=', chat.variant)
    .select(['status', 'pause_reason', 'resume_at', 'needs_person', 'handoff_note', 'answers_on', 'answers_count'])
    .executeTakeFirst()
  if (!row) return null
  return {
    status: row.status,
    pauseReason: row.pause_reason,
    resumeAt: row.resume_at?.getTime() ?? null,
    needsPerson: row.needs_person,
    handoffNote: row.status === 'paused' ? row.handoff_note : null,
    answers: row.answers_on === null ? null : { day: row.answers_on, count: row.answers_count },
  }
}

/** Sequence of the newest message of the tester; undefined when nothing was asked. */
export async function findLastQuestion(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<number | undefined> {
  const row = await ownMessages(ctx, conversationId).orderBy('sequence', 'desc').limit(1).executeTakeFirst()
  return row?.sequence
}

/** Sequence of one message of the tester. @throws AppError not_found */
export async function getQuestion(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  messageId: Id<'messages'>,
): Promise<number> {
  const row = await ownMessages(ctx, conversationId).where('id', '=', messageId).executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row.sequence
}

function ownMessages(ctx: OrgStoreContext, conversationId: Id<'conversations'>) {
  return ctx.db
    .selectFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('author', '=', 'customer')
    .select('sequence')
}

/** The user's test chats with an agent that have messages, with their present end. */
export async function listParts(ctx: OrgStoreContext, chat: Omit<Chat, 'variant'>): Promise<SharedPart[]> {
  const result = await sql<SharedPart>`
    select c.test_variant as variant, c.id as "conversationId", m.sequence as through
    from conversations c
    cross join lateral (select sequence from messages
      where organization_id = c.organization_id and conversation_id = c.id order by sequence desc limit 1) m
    where c.organization_id = ${ctx.organizationId} and c.agent_id = ${chat.agentId} and c.test_user_id = ${chat.userId}
    order by c.test_variant`.execute(ctx.db)
  return result.rows
}

/** The name of an agent that has not been removed. */
export async function findSharedAgent(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<string | undefined> {
  const row = await ctx.db
    .selectFrom('agents')
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', agentId)
    .where('deleted_at', 'is', null)
    .select('name')
    .executeTakeFirst()
  return row?.name
}

/** Messages of test chats as far as they were shared, the newest of each, oldest first. Unfinished ones are left out. */
export async function listShared(ctx: OrgStoreContext, parts: SharedPart[]): Promise<SharedChat['chats']> {
  const result = await sql<SharedMessage & { conversationId: string }>`
    select m.conversation_id as "conversationId", m.id as "_id", m.author, m.text, coalesce(m.choices, '[]') as choices,
      floor(1000 * extract(epoch from m.created_at))::float8 as at,
      coalesce((select json_agg(json_build_object('_id', f.id, 'kind', f.kind, 'name', f.name) order by f.position) from attachments f
        where f.organization_id = m.organization_id and f.message_id = m.id), '[]') as attachments
    from unnest(${parts.map(({ conversationId }) => conversationId)}::text[], ${parts.map(({ through }) => through)}::bigint[])
      as part (id, through)
    cross join lateral (select * from messages
      where organization_id = ${ctx.organizationId} and conversation_id = part.id and sequence <= part.through
        and author <> 'system' and status in ('complete', 'stopped') and (text <> '' or attachment_count > 0)
      order by sequence desc limit ${SHARED_MESSAGES}::int) m
    order by m.sequence`.execute(ctx.db)
  return parts.map(({ variant, conversationId }) => ({
    variant,
    messages: result.rows
      .filter((row) => row.conversationId === conversationId)
      .map(({ conversationId: _, ...message }) => message),
  }))
}
