// SQL of orphans: what stands in the database as held by this server.
import { sql } from 'kysely'
import type { StoreContext } from '#server/db/database.ts'
import type { Id } from '#shared/ids.ts'

export type StoredHolding = {
  turns: { turnId: Id<'turns'>; epoch: number; organizationId: Id<'organizations'> }[]
  /** Parts that were claimed and have not begun to leave. */
  parts: Id<'outbox'>[]
}

/** Turns that a server answers and parts that it has claimed, as they are stored. */
export async function listHolding(ctx: StoreContext, owner: number): Promise<StoredHolding> {
  const turns = await sql<StoredHolding['turns'][number]>`
    select id as "turnId", epoch, organization_id as "organizationId" from turns
    where status = 'running' and owner = ${owner}::int`.execute(ctx.db)
  const parts = await sql<{ id: Id<'outbox'> }>`
    select id from outbox where status = 'claimed' and owner = ${owner}::int`.execute(ctx.db)
  return { turns: turns.rows, parts: parts.rows.map(({ id }) => id) }
}
