// SQL of the conversations of testers: created, rewound and removed by them.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { ConversationStatus, PauseReason } from '#shared/messaging/conversations.ts'
import type { TestVariant } from '#shared/messaging/test-chat.ts'
import { forgetSummaryAfter } from './summaries.store.ts'

type Chat = { agentId: Id<'agents'>; userId: Id<'users'>; variant: TestVariant }

/** The state of a test chat that decides what is allowed. */
export type HeldChat = {
  conversationId: Id<'conversations'>
  status: ConversationStatus
  pauseReason: PauseReason | null
}

/** Creates the chat where there is none, and locks its row until the transaction ends. */
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
          .doUpdateSet((eb) => ({ status: eb.ref('conversations.status') })), // unchanged: it only locks the row
    )
    .returning(['id', 'status', 'pause_reason'])
    .executeTakeFirstOrThrow()
  return { conversationId: row.id, status: row.status, pauseReason: row.pause_reason }
}

/**
 * Removes the messages after one, and what was remembered of them: a handoff too. What stands after the last answer waits for one again,
 * and its words may call a person again.
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
      status = 'active', pause_reason = null, paused_at = null, paused_by = null, resume_at = null, needs_person = false,
      phrases_through = least(phrases_through, ${through - 1}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`.execute(ctx.db)
  await forgetSummaryAfter(ctx, conversationId, through)
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
