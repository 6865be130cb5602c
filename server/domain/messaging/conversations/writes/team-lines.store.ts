// SQL of lines in a conversation that only the team sees.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** A line that belongs to no turn. `reason`: what it is about; `text`: whom or what it names. */
export async function addLine(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
  { text = '', reason }: { text?: string; reason: string },
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason)
    values (${newId('messages')}, ${ctx.organizationId}, ${conversationId}, 'system', ${text}, ${reason})`.execute(
    ctx.db,
  )
}

/** A line for the team with the reason why the agent did not answer. The customer does not see it. Safe to repeat. */
export async function addSilence(
  ctx: OrgStoreContext,
  turn: { turnId: Id<'turns'>; conversationId: Id<'conversations'>; agent: { version: number | null } },
  reason: string,
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason, turn_id, agent_version)
    select ${newId('messages')}, ${ctx.organizationId}, ${turn.conversationId}, 'system', '', ${reason}, ${turn.turnId},
      ${turn.agent.version}::int
    where not exists (select from messages where turn_id = ${turn.turnId} and author = 'system')`.execute(ctx.db)
}

/** A line for the team that no person has come. At most one until the next message. */
export async function addReturns(
  ctx: StoreContext,
  resumed: { id: Id<'conversations'>; organizationId: Id<'organizations'> }[],
): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason)
    select new.id, new.organization_id, new.conversation_id, 'system', '', 'nobody_came'
    from unnest(${resumed.map(() => newId('messages'))}::text[], ${resumed.map((row) => row.organizationId)}::text[],
        ${resumed.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)
    where not exists (select from messages m where m.organization_id = new.organization_id
      and m.conversation_id = new.conversation_id and m.author = 'system' and m.reason = 'nobody_came'
      and m.sequence > (select max(sequence) from messages other where other.organization_id = m.organization_id
        and other.conversation_id = m.conversation_id and other.author <> 'system'))`.execute(ctx.db)
}
