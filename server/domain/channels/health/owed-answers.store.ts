// SQL of connections through which customers are owed an answer that their state prevented.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Records that a customer was refused an answer, or waits for one, because the connection is broken. */
export async function requeueUnanswered(ctx: OrgStoreContext, connectionId: Id<'channelConnections'>): Promise<void> {
  await sql`
    update channel_connections set owes_answers = true
    where organization_id = ${ctx.organizationId} and id = ${connectionId} and not owes_answers`.execute(ctx.db)
}

/** Whether a connection works again through which a customer is owed an answer; a condition of a query. */
export const isAnswerOwed = sql<boolean>`exists (select from channel_connections
  where owes_answers and status <> 'error' and disconnected_at is null)`

/** A statement: clears what is owed through the connections that work again. Returns their id and organization_id. */
export const settleOwed = sql`update channel_connections set owes_answers = false
      where owes_answers and status <> 'error' and disconnected_at is null
      returning id, organization_id`
