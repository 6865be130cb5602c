// SQL of what limits leave in a conversation: lines for the team, and a note of what was told and when.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { LimitWarning, RefusalReason } from '../outcome.ts'
import type { Turn } from '../turn.ts'

/** A line for the team that a limit is near. It belongs to no turn: the answer still comes. */
export async function addWarning(ctx: OrgStoreContext, turn: Turn, reason: LimitWarning): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason)
    values (${newId('messages')}, ${ctx.organizationId}, ${turn.conversationId}, 'system', '', ${reason})`.execute(
    ctx.db,
  )
}

/** Notes that something was told in the conversation. @param now milliseconds since the epoch */
export async function rememberNotice(
  ctx: OrgStoreContext,
  turn: Turn,
  what: RefusalReason | LimitWarning,
  now: number,
): Promise<void> {
  await sql`update conversations set notices = notices || jsonb_build_object(${what}::text, ${now}::bigint)
    where organization_id = ${ctx.organizationId} and id = ${turn.conversationId}`.execute(ctx.db)
}
