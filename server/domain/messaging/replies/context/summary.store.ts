// SQL of summaries of conversations.
import { sql } from 'kysely'
import type { SealedKeys } from '#server/domain/agents/keys.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Channel } from '#shared/channels/channels.ts'
import type { Id } from '#shared/ids.ts'
import type { MessageAuthor } from '#shared/messaging/conversations.ts'
import { deliveredText } from '../../outbox/delivered-text.store.ts'
import type { Memory } from '../../turns/turn.ts'

/** The conversation to summarise. */
export type SummarySubject = Memory & {
  channel: Channel
  agentId: Id<'agents'>
  /** The agent's own. */
  model: string
  keys: SealedKeys
  /** Messages that the summary does not cover yet, oldest first; attachments in brackets. */
  messages: { author: MessageAuthor; text: string }[]
}

/** Maximum messages per summary; of more, the oldest are dropped. */
const MESSAGES_AT_MOST = 500
/** Maximum characters of each attachment. */
const ATTACHED_CHARACTERS = 500

/** Marks the forwarded text at the end of a message in the alias `m` as written by someone else. */
const forwardMark = sql`case when m.forwarded is not null then
  '[forwarded, written by ' || coalesce(m.forwarded->>'from', 'somebody else') || ' and not by the customer]' end`

/** Undefined when the conversation is deleted. `from`, `through`: sequences of the first and the last message to summarise. */
export async function findSubject(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  { from, through }: { from: number; through: number },
): Promise<SummarySubject | undefined> {
  const result = await sql<SummarySubject>`
    select case when s.summary_through >= ${from}::bigint then s.summary end as summary, coalesce(s.summary_through, 0) as "summaryThrough", c.channel, c.agent_id as "agentId", v.settings->>'model' as model,
      (select coalesce(json_object_agg(k.provider, k.key), '{}') from agent_keys k
        where k.organization_id = c.organization_id and k.agent_id = c.agent_id) as keys,
      (select coalesce(json_agg(json_build_object('author', m.author, 'text', concat_ws(' ', ${forwardMark}, ${deliveredText}, case when m.attachment_count > 0 then (
            select string_agg('[' || f.kind || coalesce(': ' || left(f.text, ${ATTACHED_CHARACTERS}::int), '') || ']', ' ' order by f.position)
            from attachments f where f.organization_id = c.organization_id and f.message_id = m.id) end)) order by m.sequence), '[]')
        from (select id, organization_id, sequence, author, text, attachment_count, forwarded from messages
          where organization_id = c.organization_id and conversation_id = c.id
            and sequence > coalesce(s.summary_through, 0) and sequence >= ${from}::bigint and sequence <= ${through}::bigint
            and author <> 'system' and status in ('complete', 'stopped')
          order by sequence desc limit ${MESSAGES_AT_MOST}::int) m) as messages
    from conversations c
    left join conversation_summaries s on s.organization_id = c.organization_id and s.conversation_id = c.id
    join agents a on a.organization_id = c.organization_id and a.id = c.agent_id
    join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id
      and v.number = case when c.channel = 'test' then a.latest_version else a.live_version end
    where c.organization_id = ${ctx.organizationId} and c.id = ${conversationId}`.execute(ctx.db)
  return result.rows[0]
}
