// SQL of connections that work again: customers who were refused an answer because of their state are answered, and what their provider
// refused together with the credentials is sent.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** Remembers that somebody was refused an answer, or waits for one, because the connection is broken. */
export async function oweAnswers(ctx: OrgStoreContext, connectionId: Id<'channelConnections'>): Promise<void> {
  await sql`
    update channel_connections set owes_answers = true
    where organization_id = ${ctx.organizationId} and id = ${connectionId} and not owes_answers`.execute(ctx.db)
}

/** Whether a connection works again through which somebody is owed an answer; a condition of a query. */
export const isAnswerOwed = sql<boolean>`exists (select from channel_connections
  where owes_answers and status <> 'error' and disconnected_at is null)`

/**
 * Lets the customers be answered who were refused because of a connection that works again, if they still wait; what waits there for
 * other credentials is due.
 */
export async function answerOwed(ctx: StoreContext): Promise<void> {
  const { rows } = await sql<{ id: Id<'conversations'>; organizationId: Id<'organizations'> }>`
    with recovered as (
      update channel_connections set owes_answers = false
      where owes_answers and status <> 'error' and disconnected_at is null
      returning id, organization_id
    ), due as (
      update outbox o set not_before = now(), first_tried_at = null, updated_at = now() from recovered r
      where o.organization_id = r.organization_id and o.connection_id = r.id and o.status = 'queued' and o.error like 'unauthorized: %'
    )
    select c.id, c.organization_id as "organizationId" from recovered r
    join conversations c on c.organization_id = r.organization_id and c.connection_id = r.id
    where c.status = 'active'
      and exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author = 'system' and m.reason = 'connection_error' and m.sequence > c.answered_through)
      and exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
        and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.answered_through)`.execute(
    ctx.db,
  )
  if (rows.length === 0) return
  await sql`
    insert into turns (id, organization_id, conversation_id, status)
    select new.id, new.organization_id, new.conversation_id, 'pending'
    from unnest(${rows.map(() => newId('turns'))}::text[], ${rows.map((row) => row.organizationId)}::text[],
      ${rows.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)
    on conflict (conversation_id) where status = 'pending' do update set kind = 'reply'`.execute(ctx.db)
}
