// SQL for the alerts of a person who has left an organization.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Removes a person's alerts in the organization, with everything by which they would be reached. */
export async function forgetMemberAlerts(ctx: OrgStoreContext, userId: Id<'users'>): Promise<void> {
  const { db, organizationId } = ctx
  const of = { organization_id: organizationId, user_id: userId }
  await db
    .deleteFrom('alerts')
    .where((eb) => eb.and(of))
    .execute()
  await db
    .deleteFrom('alert_settings')
    .where((eb) => eb.and(of))
    .execute()
  await db
    .deleteFrom('alert_chats')
    .where((eb) => eb.and(of))
    .execute()
  await db
    .deleteFrom('push_devices')
    .where((eb) => eb.and(of))
    .execute()
}
