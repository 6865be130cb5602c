// SQL of the queue: conversations that need a person and have no operator yet. The trigger `conversation_queue` maintains it on calls,
// assignments, operator messages and the end of a conversation. Conversations of one thread wait as one, by the longest wait.
import { sql } from 'kysely'
import { countsTowardsCapacity } from '#server/domain/organizations/operators.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { QUEUE_SHOWN_MAX } from '#shared/limits.ts'
import type { Queue } from '#shared/messaging/operators.ts'
import { holdConversations } from '../conversations/bulk.store.ts'
import { withThreads } from '../conversations/threads.store.ts'
import { giveTo } from '../conversations/writes/silence.store.ts'
import { addLine } from '../conversations/writes/team-lines.store.ts'
import { calledName } from '../customers/contacts.store.ts'

/** The conversations that wait for a person, the longest wait first. */
export async function getQueue(ctx: OrgStoreContext): Promise<Queue> {
  const rows = await queued(ctx)
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .select(['conversations.id', 'conversations.thread_id', 'conversations.queued_at', 'conversations.handoff_reason'])
    .select(calledName.as('name'))
    .limit(QUEUE_SHOWN_MAX)
    .execute()
  const count = rows.length < QUEUE_SHOWN_MAX ? rows.length : await countQueued(ctx)
  const first = rows.map(({ id, thread_id: threadId, name, queued_at: at, handoff_reason: calledFor }) => ({
    conversationId: id,
    threadId,
    customerName: name,
    queuedAt: at?.getTime() ?? 0,
    calledFor,
  }))
  return { count, first }
}

async function countQueued(ctx: OrgStoreContext): Promise<number> {
  const row = await waiting(ctx)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** The conversation that has waited longest. */
export async function findFirstQueued(
  ctx: OrgStoreContext,
): Promise<{ id: Id<'conversations'>; assigneeId: Id<'users'> | null } | undefined> {
  return queued(ctx).select(['conversations.id', 'conversations.assignee_id as assigneeId']).limit(1).executeTakeFirst()
}

function queued(ctx: OrgStoreContext) {
  return waiting(ctx).orderBy('conversations.queued_at').orderBy('conversations.id')
}

function waiting({ db, organizationId }: OrgStoreContext) {
  return db
    .selectFrom('conversations')
    .where('conversations.organization_id', '=', organizationId)
    .where('conversations.queued_at', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('conversations.thread_id', 'is', null),
        eb.not(
          eb.exists(
            eb
              .selectFrom('conversations as longer')
              .where('longer.organization_id', '=', organizationId)
              .whereRef('longer.thread_id', '=', 'conversations.thread_id')
              .where(sql<boolean>`(longer.queued_at, longer.id) < (conversations.queued_at, conversations.id)`)
              .select('longer.id'),
          ),
        ),
      ]),
    )
}

/** A queued conversation whose thread has another conversation assigned to an operator already, with that operator. */
export async function findJoining(
  ctx: OrgStoreContext,
): Promise<{ id: Id<'conversations'>; userId: Id<'users'>; name: string } | undefined> {
  return ctx.db
    .selectFrom('conversations')
    .innerJoin('conversations as held', 'held.thread_id', 'conversations.thread_id')
    .innerJoin('members', 'members.user_id', 'held.assignee_id')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('held.organization_id', '=', ctx.organizationId)
    .where('members.organization_id', '=', ctx.organizationId)
    .where('conversations.queued_at', 'is not', null)
    .where(countsTowardsCapacity('held'))
    .select(['conversations.id', 'users.id as userId', 'users.name'])
    .orderBy('conversations.queued_at')
    .orderBy('conversations.id')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Assigns a queued conversation to a member, with all others of its thread, and adds a line about it to the conversation.
 * @returns false, and does nothing, when it has left the queue meanwhile
 */
export async function assignQueued(
  ctx: OrgStoreContext,
  id: Id<'conversations'>,
  operator: { userId: Id<'users'>; name: string },
): Promise<boolean> {
  const held = await holdConversations(ctx, await withThreads(ctx, [id]))
  if (!held.some((each) => each.id === id && each.isQueued)) return false
  const given = held.filter(({ id: each, folder }) => each === id || folder !== 'deleted')
  await giveTo(
    ctx,
    given.map((each) => each.id),
    operator.userId,
  )
  await addLine(ctx, id, { text: operator.name, reason: 'routed' })
  return true
}
