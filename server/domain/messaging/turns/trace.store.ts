// SQL of the record that a turn leaves behind.
import { sql } from 'kysely'
import { queriesOf } from '#server/domain/knowledge/review/queries.rules.ts'
import { insertQueries } from '#server/domain/knowledge/review/queries.store.ts'
import { insertToolCalls } from '#server/domain/tools/tool-calls.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { sanitizePayload } from '#server/platform/lib/text/sanitize-payload.ts'
import type { TurnTrace } from '#shared/messaging/trace.ts'
import type { Turn } from './turn.ts'

/** Keeps the record of a turn, and what was looked up for it; a later try of the same turn takes its place. */
export async function writeTrace(ctx: OrgStoreContext, turn: Turn, made: TurnTrace): Promise<void> {
  for (const write of traceStatements(turn, made)) await write(ctx)
}

/** The same as functions that send one statement each. */
export function traceStatements(turn: Turn, made: TurnTrace): ((ctx: OrgStoreContext) => Promise<unknown>)[] {
  const trace = sanitizePayload(made)
  const { turnId, conversationId, conversation, agent } = turn
  const searching = { turnId, conversationId, channel: conversation.channel, spaceIds: agent.spaceIds }
  const queries = queriesOf(trace)
  const keepQueries = (ctx: OrgStoreContext) => insertQueries(ctx, searching, queries)
  const calling = { turnId, conversationId, agentId: agent.id }
  const keepCalls = (ctx: OrgStoreContext) => insertToolCalls(ctx, calling, trace.tools)
  return [
    (ctx) => upsertTrace(ctx, turn, trace),
    ...(queries.length > 0 ? [keepQueries] : []),
    ...(trace.tools.length > 0 ? [keepCalls] : []),
  ]
}

async function upsertTrace(ctx: OrgStoreContext, turn: Turn, trace: TurnTrace): Promise<void> {
  await sql`insert into turn_traces (turn_id, organization_id, conversation_id, trace)
    values (${turn.turnId}, ${ctx.organizationId}, ${turn.conversationId}, ${JSON.stringify(trace)}::jsonb)
    on conflict (turn_id) do update set trace = excluded.trace, created_at = now()`.execute(ctx.db)
}
