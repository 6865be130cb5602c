// SQL of the record that a turn leaves behind.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import { queriesOf } from '#server/features/knowledge/queries.rules.ts'
import { insertQueries } from '#server/features/knowledge/queries.store.ts'
import type { TurnTrace } from '#shared/trace.ts'
import { storable } from './storable.ts'
import type { Turn } from './turn.store.ts'

/** Keeps the record of a turn, and what was looked up for it; a later try of the same turn takes its place. */
export async function writeTrace(ctx: OrgStoreContext, turn: Turn, made: TurnTrace): Promise<void> {
  const trace = storable(made)
  await sql`insert into turn_traces (turn_id, organization_id, conversation_id, trace)
    values (${turn.turnId}, ${ctx.organizationId}, ${turn.conversationId}, ${JSON.stringify(trace)}::jsonb)
    on conflict (turn_id) do update set trace = excluded.trace, created_at = now()`.execute(ctx.db)
  const { turnId, conversationId, conversation, agent } = turn
  const searching = { turnId, conversationId, channel: conversation.channel, spaceIds: agent.spaceIds }
  await insertQueries(ctx, searching, queriesOf(trace))
}
