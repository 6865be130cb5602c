// SQL of what stands in a conversation where an answer would: why there is none, or a text that the agent's settings give.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { Turn } from './turn.ts'

const PREVIEW_LENGTH = 200

/** A line for the team that says why the agent did not answer. The customer is not told. Safe to repeat. */
export async function addSilence(ctx: OrgStoreContext, turn: Turn, reason: string): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason, turn_id, agent_version)
    select ${newId('messages')}, ${ctx.organizationId}, ${turn.conversationId}, 'system', '', ${reason}, ${turn.turnId},
      ${turn.agent.version}::int
    where not exists (select from messages where turn_id = ${turn.turnId} and author = 'system')`.execute(ctx.db)
}

/**
 * A text of the agent's settings, with its parts for the channel. It takes the place of an answer that broke off.
 * @returns false, and does nothing, when the turn has a whole message of the agent already
 */
export async function addNotice(ctx: OrgStoreContext, turn: Turn, text: string, parts: string[]): Promise<boolean> {
  const result = await sql<{ added: boolean }>`
    with message as (
      insert into messages (id, organization_id, conversation_id, author, text, turn_id, agent_version)
      values (${newId('messages')}, ${ctx.organizationId}, ${turn.conversationId}, 'agent', ${text}, ${turn.turnId},
        ${turn.agent.version}::int)
      on conflict (turn_id) where turn_id is not null and author = 'agent' do update set
        text = excluded.text, status = 'complete' where messages.status <> 'complete'
      returning id, organization_id, conversation_id
    ), conversation as (
      update conversations c set message_count = c.message_count + 1, last_message_author = 'agent',
        last_message_text = ${text.slice(0, PREVIEW_LENGTH)}, last_message_at = now()
      from message m where c.organization_id = m.organization_id and c.id = m.conversation_id
    ), part as (
      insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status)
      select new.id, m.organization_id, ${turn.connection?.id ?? null}, m.conversation_id, m.id, new.place - 1,
        ${turn.conversation.chatId}, new.text, 'queued'
      from message m, unnest(${parts.map(() => newId('outbox'))}::text[], ${parts}::text[]) with ordinality
        as new (id, text, place)
    )
    select exists (select from message) as added`.execute(ctx.db)
  return result.rows[0]?.added ?? false
}

/** Lets the newest message of the customer be heeded like one that came while the agent spoke. */
export async function heedNewest(ctx: OrgStoreContext, conversationId: Id<'conversations'>): Promise<void> {
  await sql`update conversations set phrases_through = greatest(0, phrases_through - 1)
    where organization_id = ${ctx.organizationId} and id = ${conversationId}`.execute(ctx.db)
}

/** Nobody will answer what the customer has said up to this turn any more. */
export async function settleQuestions(ctx: OrgStoreContext, turn: Turn): Promise<void> {
  const through = Math.max(0, ...turn.history.map((message) => message.sequence))
  await sql`update conversations set answered_through = greatest(answered_through, ${through}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}`.execute(ctx.db)
}
