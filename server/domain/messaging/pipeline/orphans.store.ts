// SQL of orphans: what stands in the database as held by this server.
import { sql } from 'kysely'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

export type StoredHolding = {
  turns: { turnId: Id<'turns'>; epoch: number; organizationId: Id<'organizations'> }[]
  /** Parts that were claimed, and parts that are written as being sent. */
  parts: Id<'outbox'>[]
  sends: Id<'outbox'>[]
}

/** What a server answers, has claimed and sends, as it is stored. */
export async function listHolding(ctx: StoreContext, owner: number): Promise<StoredHolding> {
  const turns = await sql<StoredHolding['turns'][number]>`
    select id as "turnId", epoch, organization_id as "organizationId" from turns
    where status = 'running' and owner = ${owner}::int`.execute(ctx.db)
  const parts = await sql<{ id: Id<'outbox'>; isSend: boolean }>`
    select id, status = 'sending' as "isSend" from outbox
    where status in ('claimed', 'sending') and owner = ${owner}::int`.execute(ctx.db)
  const idsOf = (isSend: boolean) => parts.rows.filter((part) => part.isSend === isSend).map(({ id }) => id)
  return { turns: turns.rows, parts: idsOf(false), sends: idsOf(true) }
}
