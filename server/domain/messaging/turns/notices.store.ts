// SQL of what the pipeline tells a customer by itself: a message of the agent that no turn has made.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

const PREVIEW_LENGTH = 200

/** By which a customer is reached. */
export type Chat = { connectionId: Id<'channelConnections'>; chatId: string }

/** Adds what the customer is told, with its parts for the channel. The conversation is held by the caller. @returns its id */
export async function addNotice(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  { connectionId, chatId }: Chat,
  {
    text,
    parts,
    reason = null,
    choices = [],
  }: { text: string; parts: string[]; reason?: string | null; choices?: string[] },
): Promise<Id<'messages'>> {
  const messageId = newId('messages')
  await sql`
    with message as (
      insert into messages (id, organization_id, conversation_id, author, text, reason, choices)
      values (${messageId}, ${ctx.organizationId}, ${id}, 'agent', ${text}, ${reason}, ${choices.length > 0 ? JSON.stringify(choices) : null}::jsonb)
    ), conversation as (
      update conversations set message_count = message_count + 1, last_message_author = 'agent',
        last_message_text = ${text.slice(0, PREVIEW_LENGTH)}, last_message_at = now()
      where organization_id = ${ctx.organizationId} and id = ${id}
    )
    insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text, status)
    select new.id, ${ctx.organizationId}, ${connectionId}, ${id}, ${messageId}, new.place - 1, ${chatId}, new.text, 'queued'
    from unnest(${parts.map(() => newId('outbox'))}::text[], ${parts}::text[]) with ordinality as new (id, text, place)`.execute(
    ctx.db,
  )
  return messageId
}
