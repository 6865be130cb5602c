// SQL of the test chat: two conversations, at most, for each agent and user, which no channel and no inbox ever sees.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus, PauseReason } from '#shared/messaging/conversations.ts'
import type { SharedChat, SharedMessage, TestChatState, TestVariant } from '#shared/messaging/test-chat.ts'
import type { SharedPart } from './test-chat.links.ts'

/** Of each chat that is shared. */
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

/** What decides about a test chat. */
export type HeldChat = {
  conversationId: Id<'conversations'>
  status: ConversationStatus
  pauseReason: PauseReason | null
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

/** Makes the chat where there is none, and holds its row until the transaction ends. */
export async function openChat(ctx: OrgStoreContext, chat: Chat): Promise<HeldChat> {
  const row = await ctx.db
    .insertInto('conversations')
    .values({
      id: newId('conversations'),
      organization_id: ctx.organizationId,
      agent_id: chat.agentId,
      channel: 'test',
      connection_id: null,
      customer_id: null,
      test_user_id: chat.userId,
      test_variant: chat.variant,
      external_chat_id: null,
      status: 'active',
      resume_at: null,
      last_message_author: null,
      last_message_text: null,
    })
    .onConflict(
      (conflict) =>
        conflict
          .columns(['agent_id', 'test_user_id', 'test_variant'])
          .where('test_user_id', 'is not', null)
          .doUpdateSet((eb) => ({ status: eb.ref('conversations.status') })), // as it is: only the row is held
    )
    .returning(['id', 'status', 'pause_reason'])
    .executeTakeFirstOrThrow()
  return { conversationId: row.id, status: row.status, pauseReason: row.pause_reason }
}

/** Marks what was being written as stopped; where nothing was written yet, says so with an empty message. */
export async function markStopped(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  turnId: Id<'turns'>,
): Promise<void> {
  await ctx.db
    .insertInto('messages')
    .values({
      id: newId('messages'),
      organization_id: ctx.organizationId,
      conversation_id: conversationId,
      author: 'agent',
      user_id: null,
      text: '',
      status: 'stopped',
      reason: null,
      turn_id: turnId,
      sources: '[]',
      model: null,
      input_tokens: null,
      output_tokens: null,
      cost_micro_usd: null,
      price_version: null,
      latency_ms: null,
      first_token_ms: null,
    })
    .onConflict((conflict) =>
      conflict
        .column('turn_id')
        .where('turn_id', 'is not', null)
        .where('author', '=', sql.lit('agent')) // as a parameter it would name no index once the plan is generic
        .doUpdateSet({ status: 'stopped' }),
    )
    .execute()
}

/** Whatever was said so far needs no answer any more. */
export async function markAnswered(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      answered_through: eb
        .selectFrom('messages')
        .where('messages.organization_id', '=', ctx.organizationId)
        .where('messages.conversation_id', '=', conversationId)
        .select((select) => select.fn.coalesce(select.fn.max('messages.sequence'), select.lit(0)).as('last')),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', conversationId)
    .execute()
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

/**
 * Takes back what was said after a message, and what was remembered of it: a handoff too. What stands after the last answer waits for
 * one again, and its words may call a person again.
 */
export async function rewind(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  through: number,
): Promise<void> {
  await ctx.db
    .deleteFrom('messages')
    .where('organization_id', '=', ctx.organizationId)
    .where('conversation_id', '=', conversationId)
    .where('sequence', '>', through)
    .execute()
  await sql`update conversations c set
      answered_through = (select coalesce(max(sequence), 0) from messages m
        where m.organization_id = c.organization_id and m.conversation_id = c.id and m.author <> 'customer'),
      message_count = (select count(*) from messages m
        where m.organization_id = c.organization_id and m.conversation_id = c.id and m.author <> 'system' and m.status <> 'failed'),
      summary = case when summary_through <= ${through}::bigint then summary end,
      summary_through = case when summary_through <= ${through}::bigint then summary_through else 0 end,
      status = 'active', pause_reason = null, paused_at = null, paused_by = null, resume_at = null, needs_person = false,
      phrases_through = least(phrases_through, ${through - 1}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`.execute(ctx.db)
}

/** Removes the chat with everything in it; an answer under way finds nothing to write to. */
export async function removeChat(ctx: OrgStoreContext, chat: Chat): Promise<void> {
  await ctx.db
    .deleteFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', chat.agentId)
    .where('test_user_id', '=', chat.userId)
    .where('test_variant', '=', chat.variant)
    .execute()
}

/** The user's test chats with an agent that hold anything, as far as they go now. */
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

/** The name of an agent that is still there. */
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

/** What was said in test chats as far as they were shared, the newest of each, oldest first. What was never finished is left out. */
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
