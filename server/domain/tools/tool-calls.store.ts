// SQL for calls of tools of agents, built-in and added: written from the record of each turn, read by the page of an agent's functions.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import type { TraceToolCall } from '#shared/messaging/trace.ts'
import type { FunctionCall } from '#shared/tools/functions.ts'

/** The turn that has made the calls. */
export type CallingTurn = { turnId: Id<'turns'>; conversationId: Id<'conversations'>; agentId: Id<'agents'> }

/** What was called of one name within a time. */
export type CallSums = { calls: number; failures: number; lastAt: number }

/** Adds the calls of a turn, in one statement; those of a later try of the turn take their place. */
export async function insertToolCalls(ctx: OrgStoreContext, turn: CallingTurn, calls: TraceToolCall[]): Promise<void> {
  if (calls.length === 0) return
  await ctx.db
    .insertInto('tool_calls')
    .values(
      calls.map((call, position) => ({
        organization_id: ctx.organizationId,
        turn_id: turn.turnId,
        position,
        conversation_id: turn.conversationId,
        agent_id: turn.agentId,
        name: call.name,
        has_failed: call.hasFailed,
        refusal: call.refusal ?? null,
        duration_ms: call.durationMs,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['turn_id', 'position']).doUpdateSet((eb) => ({
        name: eb.ref('excluded.name'),
        has_failed: eb.ref('excluded.has_failed'),
        refusal: eb.ref('excluded.refusal'),
        duration_ms: eb.ref('excluded.duration_ms'),
        called_at: sql<Date>`now()`,
      })),
    )
    .execute()
}

/** By name, what an agent has called since then. */
export async function sumCalls(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  since: Date,
): Promise<Map<string, CallSums>> {
  const rows = await calls(ctx, agentId)
    .where('called_at', '>=', since)
    .select((eb) => [
      'name',
      eb.fn.countAll<string>().as('calls'),
      eb.fn.countAll<string>().filterWhere('has_failed', '=', true).as('failures'),
      eb.fn.max('called_at').as('last_at'),
    ])
    .groupBy('name')
    .execute()
  return new Map(
    rows.map((row) => [
      row.name,
      { calls: Number(row.calls), failures: Number(row.failures), lastAt: new Date(row.last_at).getTime() },
    ]),
  )
}

/** The newest calls of these names. */
export async function listCalls(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  { names, limit }: { names: string[]; limit: number },
): Promise<FunctionCall[]> {
  const rows = await calls(ctx, agentId)
    .where('name', 'in', names)
    .selectAll()
    .orderBy('called_at', 'desc')
    .orderBy('turn_id')
    .orderBy('position', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    turnId: row.turn_id,
    position: row.position,
    conversationId: row.conversation_id,
    name: row.name,
    hasFailed: row.has_failed,
    refusal: row.refusal,
    durationMs: row.duration_ms,
    at: row.called_at.getTime(),
  }))
}

/** What searches of the web have cost an agent since then, millionths of a US dollar. */
export async function sumSearchCosts(ctx: OrgStoreContext, agentId: Id<'agents'>, since: Date): Promise<number> {
  const row = await ctx.db
    .selectFrom('usage_events')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
    .where('model', '=', 'web-search')
    .where('occurred_at', '>=', since)
    .select((eb) => eb.fn.sum<string | null>('cost_micro_usd').as('cost'))
    .executeTakeFirst()
  return Number(row?.cost ?? 0)
}

/** Deletes calls of long ago, in all organizations. */
export async function forgetCalls(ctx: StoreContext, before: Date): Promise<void> {
  await ctx.db.deleteFrom('tool_calls').where('called_at', '<', before).execute()
}

function calls(ctx: OrgStoreContext, agentId: Id<'agents'>) {
  return ctx.db
    .selectFrom('tool_calls')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
}
