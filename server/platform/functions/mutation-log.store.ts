// The stored outcomes of mutations, by which a repeated request gets an answer instead of a second run.
import type { JSONValue } from 'convex/values'
import type { StoreContext } from '#server/platform/db/database.ts'

/** Identifies one request of one client. */
export type RequestKey = { subject: string; clientSession: string; requestId: number }

export type StoredOutcome = { fingerprint: string; value: JSONValue; xid: string }

/** How long a client may be offline and still learn the outcome of its request. */
const RETENTION_DAYS = 7

/**
 * Records the outcome inside the mutation's own transaction.
 * @returns the transaction's id; undefined when the request has an outcome already
 */
export async function insertOutcome(
  ctx: StoreContext,
  key: RequestKey,
  outcome: { fingerprint: string; value: JSONValue },
): Promise<string | undefined> {
  const row = await ctx.db
    .insertInto('mutation_log')
    .values({
      subject: key.subject,
      session_id: key.clientSession,
      request_id: key.requestId,
      fingerprint: outcome.fingerprint,
      // Wrapped: a bare JSON null is indistinguishable from SQL null.
      result: JSON.stringify({ value: outcome.value }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning((eb) => eb.cast<string>('xid', 'text').as('xid'))
    .executeTakeFirst()
  return row?.xid
}

/** The outcome of an earlier run, if there was one. */
export async function findOutcome(ctx: StoreContext, key: RequestKey): Promise<StoredOutcome | undefined> {
  const row = await ctx.db
    .selectFrom('mutation_log')
    .select((eb) => ['fingerprint', 'result', eb.cast<string>('xid', 'text').as('xid')])
    .where('session_id', '=', key.clientSession)
    .where('request_id', '=', key.requestId)
    .where('subject', '=', key.subject)
    .executeTakeFirst()
  return row && { fingerprint: row.fingerprint, value: (row.result as { value: JSONValue }).value, xid: row.xid }
}

/** Deletes outcomes older than RETENTION_DAYS. */
export async function deleteOldOutcomes(ctx: StoreContext, now: Date): Promise<void> {
  const oldest = new Date(now.getTime() - RETENTION_DAYS * 24 * 3_600_000)
  await ctx.db.deleteFrom('mutation_log').where('created_at', '<', oldest).execute()
}
