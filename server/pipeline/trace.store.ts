// SQL of the record that a turn leaves behind.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import type { TurnTrace } from '#shared/trace.ts'
import type { Claim } from './runner.store.ts'
import { storable } from './storable.ts'

/** Keeps the record of a turn; a later try of the same turn takes its place. */
export async function writeTrace(ctx: OrgStoreContext, claim: Claim, trace: TurnTrace): Promise<void> {
  await sql`insert into turn_traces (turn_id, organization_id, conversation_id, trace)
    values (${claim.turnId}, ${ctx.organizationId}, ${claim.conversationId}, ${JSON.stringify(storable(trace))}::jsonb)
    on conflict (turn_id) do update set trace = excluded.trace, created_at = now()`.execute(ctx.db)
}
