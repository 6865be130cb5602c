// SQL of customers who were promised a person and have waited long. `conversations.unattended_at` holds when the notice is due. The
// trigger function `conversation_queue` clears it when an operator comes, the agent is resumed, or the conversation leaves the inbox or
// ends, and sets it again when the conversation returns to the queue, until the customer was notified about this call.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import { PRESENCE_TYPING_MS } from '#shared/limits.ts'

/** Notices per run; the next run takes the rest. */
const BATCH = 100
/** Number of the customer's last messages used to detect their language. */
const WORDS = 5

export type Waiting = { id: Id<'conversations'>; organizationId: Id<'organizations'> }

/** Conversations whose notice is due, the longest wait first. */
export async function listWithoutOperator(ctx: StoreContext): Promise<Waiting[]> {
  return ctx.db
    .selectFrom('conversations')
    .where('unattended_at', '<=', sql<Date>`now()`)
    .select(['id', 'organization_id as organizationId'])
    .orderBy('unattended_at')
    .limit(BATCH)
    .execute()
}

export type NoOperatorNotice = {
  agentId: Id<'agents'>
  channel: Exclude<Channel, 'test'>
  connectionId: Id<'channelConnections'>
  chatId: string
  /** An operator is typing right now. */
  isTyping: boolean
  isReachable: boolean
  /** Whether the organization still has this notice switched on. */
  isWanted: boolean
  /** The organization's own text; empty without one. */
  text: string
  timeZone: string
  /** A tag, as the customer's messenger names it. */
  language: string | null
  /** Texts of the customer's last messages, oldest first. */
  words: string[]
}

/** Locks a conversation until the transaction ends. Undefined when its notice is no longer due. */
export async function lockNoOperatorNotice(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
): Promise<NoOperatorNotice | undefined> {
  const result = await sql<NoOperatorNotice>`
    select c.agent_id as "agentId", c.channel, c.connection_id as "connectionId", c.external_chat_id as "chatId",
      exists (select from conversation_presence p where p.organization_id = c.organization_id
        and (p.conversation_id = c.id or p.conversation_id in (select t.id from conversations t
          where t.organization_id = c.organization_id and t.thread_id = c.thread_id)) and p.state = 'typing' and p.at > now() - ${PRESENCE_TYPING_MS}::int * interval '1 millisecond') as "isTyping",
      n.id is not null and n.disconnected_at is null and c.external_chat_id is not null as "isReachable",
      o.unattended_after_seconds is not null as "isWanted", o.unattended_text as text, o.time_zone as "timeZone", u.language,
      array(select latest.text from (
        select m.text, m.sequence from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
          and m.author = 'customer' order by m.sequence desc limit ${WORDS}::int) latest order by latest.sequence) as words
    from conversations c
    join organizations o on o.id = c.organization_id
    left join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
    left join customers u on u.organization_id = c.organization_id and u.id = c.customer_id
    where c.organization_id = ${ctx.organizationId} and c.id = ${id} and c.unattended_at <= now()
    for update of c`.execute(ctx.db)
  return result.rows[0]
}
