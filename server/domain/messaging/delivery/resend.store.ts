// SQL of answers that are resent automatically: because their agent is set so and nothing of them is known to have arrived, or because
// it became known that nothing has, after they were given up.
import { sql } from 'kysely'
import { lockThread } from '#server/domain/messaging/conversations/threads.ts'
import { requeue } from '#server/domain/messaging/outbox/outbox.store.ts'
import type { Channels } from '#server/integrations/channels/registry.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { WITHHOLDING } from '../outbox/deliver.store.ts'

/** An answer that comes later than this is of no use any more. */
const FRESH = sql.lit('2 minutes')

/** A part to be resent, and its conversation. */
export type ResendablePart = {
  id: Id<'outbox'>
  organizationId: Id<'organizations'>
  conversationId: Id<'conversations'>
}

/** Nothing of it has left: a server had stalled with it, or was refused, after another one had given it up. */
const isGivenUp = sql<boolean>`(o.status = 'failed' and o.error = 'interrupted')`

/**
 * The first part of an answer to the customer's last message, in whichever of their merged conversations they wrote it, tried once and of
 * unknown outcome or definitely not sent, with nothing of the answer sent. What a person has written or a rule has begun (a follow-up) waits
 * for a person, and so does what was tried more than once, was withheld while it was being sent, or belongs to a number that the
 * conversation has left.
 */
const isResendable = sql<boolean>`(o.status = 'unknown' or ${isGivenUp}) and o.attempt = 1 and o.part = 0 and o.updated_at > now() - interval ${FRESH}
  and coalesce(o.error, '') not in (${WITHHOLDING})
  and not exists (select from outbox other where other.message_id = o.message_id and other.status in ('sent', 'sending', 'claimed'))
  and exists (select from conversations c
      join channel_connections n on n.organization_id = c.organization_id and n.id = c.connection_id
      join agents a on a.organization_id = c.organization_id and a.id = c.agent_id
      join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id and v.number = a.live_version
      join messages m on m.organization_id = c.organization_id and m.id = o.message_id
      join turns t on t.organization_id = m.organization_id and t.id = m.turn_id
    where c.organization_id = o.organization_id and c.id = o.conversation_id and c.status = 'active' and c.folder <> 'deleted' and c.connection_id = o.connection_id
      and n.disconnected_at is null and n.status = 'connected' and coalesce((n.settings ->> 'isAgentOn')::boolean, true)
      and (${isGivenUp} or coalesce((v.settings #>> '{resending,isOn}')::boolean, false)) and t.kind = 'reply'
      and not exists (select from conversations f
        join messages later on later.organization_id = f.organization_id and later.conversation_id = f.id
        where f.organization_id = c.organization_id and (f.id = c.id or f.thread_id = c.thread_id)
          and later.sequence > m.sequence and later.author <> 'system'))`

/** Over all organizations, for live connections; parts of unknown outcome only of these channels. */
export async function listResendable(ctx: StoreContext, channels: (keyof Channels)[]): Promise<ResendablePart[]> {
  const { rows } = await sql<ResendablePart>`
    select o.id, o.organization_id as "organizationId", o.conversation_id as "conversationId"
    from channel_connections n
    join outbox o on o.connection_id = n.id and o.status in ('failed', 'unknown') and ${isResendable}
    where (n.channel = any (${channels}::text[]) or ${isGivenUp}) and n.disconnected_at is null`.execute(ctx.db)
  return rows
}

/** Requeues a part, unless something has happened meanwhile. */
export async function resendOnce(ctx: OrgStoreContext, { id, conversationId }: ResendablePart): Promise<void> {
  await lockThread(ctx, conversationId)
  const still = await sql`
    select from outbox o where o.organization_id = ${ctx.organizationId} and o.id = ${id} and ${isResendable}`.execute(
    ctx.db,
  )
  if (still.rows.length > 0) await requeue(ctx, id)
}
