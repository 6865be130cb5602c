// SQL of the tool calls that a customer's conversation has used lately, counted from the records of its turns.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Calls that were carried out for the turns of a conversation within the last so many milliseconds. */
export async function countToolCalls(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  windowMs: number,
): Promise<number> {
  const result = await sql<{ calls: number }>`
    select coalesce(sum((select count(*) from jsonb_array_elements(trace->'tools') as call where call->>'refusal' is null)), 0)::int as calls
    from turn_traces
    where organization_id = ${ctx.organizationId} and conversation_id = ${conversationId}
      and created_at > now() - ${windowMs}::float8 * interval '1 millisecond'`.execute(ctx.db)
  return result.rows[0]?.calls ?? 0
}
