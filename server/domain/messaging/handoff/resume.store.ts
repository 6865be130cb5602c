// SQL of pauses that run out: the agent speaks again, and whoever waits for it is answered. Who called a person still needs one.
import { sql } from 'kysely'
import { speakAgain } from '#server/domain/messaging/conversations/withheld.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** `isUnattended`: a person was called, and none has come. */
type Resumed = { id: Id<'conversations'>; organizationId: Id<'organizations'>; isUnattended: boolean }

/** Resumes conversations whose pause is over, and lets the customers who wait be answered. @returns how many */
export async function resumeDue(ctx: StoreContext): Promise<number> {
  const { rows } = await sql<Resumed>`
    update conversations set status = 'active', resume_at = null, pause_reason = null, paused_at = null, paused_by = null,
      phrases_through = (select coalesce(max(sequence), 0) from messages
        where messages.organization_id = conversations.organization_id and messages.conversation_id = conversations.id)
    where resume_at <= now() and status = 'paused'
    returning id, organization_id as "organizationId", needs_person as "isUnattended"`.execute(ctx.db)
  for (const [organizationId, ids] of byOrganization(rows)) await speakAgain({ db: ctx.db, organizationId }, ids)
  const unattended = rows.filter(({ isUnattended }) => isUnattended)
  if (unattended.length > 0) await addReturns(ctx, unattended)
  if (rows.length > 0) await requestTurns(ctx, rows)
  failpoint('pauses-ending')
  return rows.length
}

function byOrganization(rows: Resumed[]): Map<Id<'organizations'>, Id<'conversations'>[]> {
  const found = new Map<Id<'organizations'>, Id<'conversations'>[]>()
  for (const { organizationId, id } of rows) found.set(organizationId, [...(found.get(organizationId) ?? []), id])
  return found
}

/** A line for the team that says that nobody has come. One is enough until somebody says something. */
async function addReturns(ctx: StoreContext, resumed: Resumed[]): Promise<void> {
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason)
    select new.id, new.organization_id, new.conversation_id, 'system', '', 'nobody_came'
    from unnest(${resumed.map(() => newId('messages'))}::text[], ${resumed.map((row) => row.organizationId)}::text[],
        ${resumed.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)
    where not exists (select from messages m where m.organization_id = new.organization_id
      and m.conversation_id = new.conversation_id and m.author = 'system' and m.reason = 'nobody_came'
      and m.sequence > (select max(sequence) from messages said where said.organization_id = m.organization_id
        and said.conversation_id = m.conversation_id and said.author <> 'system'))`.execute(ctx.db)
}

/** Lets what is still open in these conversations be answered. */
async function requestTurns(ctx: StoreContext, resumed: Resumed[]): Promise<void> {
  await sql`insert into turns (id, organization_id, conversation_id, status)
    select new.id, c.organization_id, c.id, 'pending'
    from unnest(${resumed.map(() => newId('turns'))}::text[], ${resumed.map((row) => row.organizationId)}::text[],
        ${resumed.map((row) => row.id)}::text[]) as new (id, organization_id, conversation_id)
      join conversations c on c.organization_id = new.organization_id and c.id = new.conversation_id
    where exists (select from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' and m.reason is distinct from 'rating' and m.sequence > c.answered_through)
    on conflict (conversation_id) where status = 'pending' do update set kind = 'reply'`.execute(ctx.db)
}
