// SQL of connections that work again: customers who were refused an answer because of their state get one, and what their provider
// refused together with the credentials is sent.
import { sql } from 'kysely'
import { settleOwed } from '#server/domain/channels/health/owed-answers.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { makeDueAgain } from '../outbox/parked-parts.store.ts'
import { requestOpenTurns } from '../turns/turn-requests.store.ts'

/**
 * Requeues the answers that customers still wait for and were refused because of a connection that works again; parts that wait there for
 * new credentials become due.
 */
export async function answerOwed(ctx: StoreContext): Promise<void> {
  const { rows } = await sql<{ id: Id<'conversations'>; organizationId: Id<'organizations'> }>`
    with recovered as (
      ${settleOwed}
    ), due as (
      ${makeDueAgain}
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
  if (rows.length > 0) await requestOpenTurns(ctx, rows)
}
