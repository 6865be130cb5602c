// SQL of the conversations that a member handles, when they cease to.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { holdConversations, noteAssignees } from './bulk.store.ts'

/**
 * Unassigns the open conversations of a member. Those in which the agent is silent because a person has taken over, or was called, wait for
 * another person. Ended ones keep whose they were.
 *
 * @param by who has caused it, as each conversation notes
 */
export async function returnToQueue(ctx: OrgStoreContext, userId: Id<'users'>, by: Id<'users'>): Promise<void> {
  const assigned = await ctx.db
    .selectFrom('conversations')
    .where('organization_id', '=', ctx.organizationId)
    .where('assignee_id', '=', userId)
    .where('status', '<>', 'ended')
    .where('folder', '<>', 'deleted')
    .select('id')
    .execute()
  if (assigned.length === 0) return
  const held = await holdConversations(
    ctx,
    assigned.map(({ id }) => id),
  )
  const ids = held.filter(({ assigneeId }) => assigneeId === userId).map(({ id }) => id)
  if (ids.length === 0) return
  await ctx.db
    .updateTable('conversations')
    .set((eb) => ({
      assignee_id: null,
      needs_person: eb
        .case()
        .when(eb.and([eb('status', '=', 'paused'), eb('pause_reason', 'is distinct from', 'customer_stop')]))
        .then(true)
        .else(eb.ref('needs_person'))
        .end(),
    }))
    .where('organization_id', '=', ctx.organizationId)
    .where('id', 'in', ids)
    .execute()
  await noteAssignees(ctx, ids, by)
}
