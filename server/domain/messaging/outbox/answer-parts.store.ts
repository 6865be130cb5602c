// SQL of the parts of an agent's answer, as parts of the one statement that writes the answer.
import { type RawBuilder, sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { PART_LEASE } from './outbox.store.ts'

/** `delayMs`: after the previous part. */
type AnswerPart = { id: Id<'outbox'>; text: string; delayMs: number }

/**
 * CTEs `sender` and `part`, behind one named `message` that stores the answer (id, organization_id, conversation_id). `part` returns id,
 * message_id, part and status. A first part that is due at once, with nothing before it, is claimed for `owner`; or written as being sent
 * where `begins` says so and its connection may send, and as much as there is.
 */
export function beginParts(
  ctx: OrgStoreContext,
  connectionId: Id<'channelConnections'> | null,
  {
    parts,
    chatId,
    owner,
    begins,
  }: { parts: AnswerPart[]; chatId: string | null; owner: number; begins: Id<'outbox'> | null },
): RawBuilder<unknown> {
  return sql`sender as (
      select channel, token, webhook_secret from channel_connections
      where id = ${connectionId} and organization_id = ${ctx.organizationId} and ${begins !== null}::boolean
        and disconnected_at is null and not is_frozen and caps is null
    ), part as (
      insert into outbox (id, organization_id, connection_id, conversation_id, message_id, part, external_chat_id, text,
        delay_ms, not_before, status, attempt, first_tried_at, owner, lease_until)
      select new.id, m.organization_id, ${connectionId}, m.conversation_id, m.id, new.place - 1, ${chatId}, new.text, new.delay_ms,
        now() + sum(new.delay_ms) over (order by new.place) * interval '1 millisecond',
        case when is_begun then 'sending' when is_first then 'claimed' else 'queued' end,
        case when is_begun then 1 else 0 end, case when is_begun then now() end, case when is_first then ${owner}::int end, case when is_first then now() + interval ${PART_LEASE} end
      from message m, unnest(${parts.map(({ id }) => id)}::text[], ${parts.map(({ text }) => text)}::text[],
          ${parts.map(({ delayMs }) => delayMs)}::int[]) with ordinality as new (id, text, delay_ms, place),
        lateral (select new.place = 1 and new.delay_ms = 0 and (select o.id from outbox o where o.conversation_id = m.conversation_id
          and o.status in ('queued', 'claimed', 'sending') limit 1) is null as is_first offset 0) as claim,
        lateral (select is_first and exists (select from sender) as is_begun) as beginning
      returning id, message_id, part, status
    )`
}

/** What the sending of a part needs, as JSON, read from a row of `part` in a query over `sender`; for a first attempt that begins now. */
export const firstPermit = sql`json_build_object('id', id, 'attempt', 1, 'triedForMs', 0, 'begunAt', 1000 * extract(epoch from now()),
  'channel', channel, 'encryptedToken', token, 'encryptedSecret', webhook_secret)`
