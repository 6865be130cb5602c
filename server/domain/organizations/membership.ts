// What follows when a person ceases to answer for an organization, or leaves it.
import { forgetMemberAlerts } from '#server/domain/alerts/leaving.store.ts'
import { returnToQueue } from '#server/domain/messaging/conversations/assignments.store.ts'
import { wakeRouting } from '#server/domain/messaging/handoff/routing.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { deleteMember, listJoined } from './members.store.ts'
import { deleteOperator } from './operators.store.ts'

/** Has the conversations that a member handles wait for another, and assigns the member no more. @param by who has caused it */
export async function endAnswering(ctx: OrgStoreContext, userId: Id<'users'>, by: Id<'users'>): Promise<void> {
  await deleteOperator(ctx, userId)
  await returnToQueue(ctx, userId, by)
  await wakeRouting(ctx)
}

/** Ends a membership with all that it gave: assignments, alerts, sessions that work there. @returns whether the person was a member */
export async function leaveOrganization(ctx: OrgStoreContext, userId: Id<'users'>, by: Id<'users'>): Promise<boolean> {
  if (!(await deleteMember(ctx, userId))) return false
  await endAnswering(ctx, userId, by)
  await forgetMemberAlerts(ctx, userId)
  return true
}

/** Takes a person out of every organization that they do not own. */
export async function leaveOrganizations({ db }: StoreContext, userId: Id<'users'>): Promise<void> {
  for (const organizationId of await listJoined({ db }, userId)) {
    await leaveOrganization({ db, organizationId }, userId, userId)
  }
}
