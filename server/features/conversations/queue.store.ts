// SQL of the queue: conversations that call for a person and have found nobody. What enters and leaves it is kept by a trigger
// (061-operators): a call, an assignment, a person who writes, the end.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/db/database.ts'
import { newId } from '#server/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { QUEUE_SHOWN_MAX } from '#shared/limits.ts'
import type { Queue } from '#shared/operators.ts'
import { calledName } from './contacts.store.ts'

/** Who waits for a person, the longest wait first. */
export async function getQueue(ctx: OrgStoreContext): Promise<Queue> {
  const rows = await queued(ctx)
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .select(['conversations.id', 'conversations.queued_at', calledName.as('name')])
    .limit(QUEUE_SHOWN_MAX)
    .execute()
  const count = rows.length < QUEUE_SHOWN_MAX ? rows.length : await countQueued(ctx)
  const first = rows.map(({ id, name, queued_at: at }) => ({
    conversationId: id,
    customerName: name,
    queuedAt: at?.getTime() ?? 0,
  }))
  return { count, first }
}

async function countQueued(ctx: OrgStoreContext): Promise<number> {
  const row = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('queued_at', 'is not', null)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Who has waited longest. */
export async function findFirstQueued(
  ctx: OrgStoreContext,
): Promise<{ id: Id<'conversations'>; assigneeId: Id<'users'> | null } | undefined> {
  return queued(ctx).select(['conversations.id', 'conversations.assignee_id as assigneeId']).limit(1).executeTakeFirst()
}

function queued(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('conversations')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('conversations.queued_at', 'is not', null)
    .orderBy('conversations.queued_at')
    .orderBy('conversations.id')
}

/**
 * Gives a conversation of the queue to a member, and says so in it.
 * @returns false, and does nothing, when it has left the queue meanwhile
 */
export async function assignQueued(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  operator: { userId: Id<'users'>; name: string },
): Promise<boolean> {
  const taken = await ctx.db
    .updateTable('conversations')
    .set({ assignee_id: operator.userId, queued_at: null, unattended_at: null })
    .where('organization_id', '=', ctx.organizationId)
    .where('id', '=', id)
    .where('queued_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (!taken) return false
  await sql`insert into messages (id, organization_id, conversation_id, author, text, reason)
    values (${newId('messages')}, ${ctx.organizationId}, ${id}, 'system', ${operator.name}, 'routed')`.execute(ctx.db)
  return true
}
