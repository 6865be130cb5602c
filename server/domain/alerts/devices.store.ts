// SQL of the browsers in which people of the team are alerted by push.
import type { PushTarget } from '#server/integrations/web-push/web-push.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { PUSH_DEVICES_MAX } from '#shared/limits.ts'
import type { PushDevice, PushDeviceInput } from '#shared/organizations/alerts.ts'

/** Those of one person, the newest first. */
export async function listDevices(ctx: OrgStoreContext, userId: Id<'users'>): Promise<PushDevice[]> {
  const rows = await devices(ctx, userId).orderBy('created_at', 'desc').orderBy('endpoint').execute()
  return rows.map(({ endpoint, name, created_at }) => ({ endpoint, name, at: created_at.getTime() }))
}

/** Null: no such device of the person. */
export async function findDevice(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
  endpoint: string,
): Promise<PushTarget | null> {
  const row = await devices(ctx, userId).where('endpoint', '=', endpoint).executeTakeFirst()
  return row ?? null
}

/** Adds one, in the place of the oldest where there are many. Safe to repeat. */
export async function addDevice(
  ctx: OrgStoreContext,
  { userId, sessionId }: { userId: Id<'users'>; sessionId: Id<'sessions'> },
  device: PushDeviceInput,
): Promise<void> {
  const { endpoint, ...rest } = device
  const known = { ...rest, session_id: sessionId }
  await ctx.db
    .insertInto('push_devices')
    .values({ organization_id: ctx.organizationId, user_id: userId, endpoint, ...known })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id', 'endpoint']).doUpdateSet(known))
    .execute()
  const all = await listDevices(ctx, userId)
  const oldest = all.slice(PUSH_DEVICES_MAX).map((each) => each.endpoint)
  if (oldest.length > 0) await forgetDevices(ctx, userId, oldest)
}

/** Nothing is sent there any more. Safe to repeat. */
export async function forgetDevices(ctx: OrgStoreContext, userId: Id<'users'>, endpoints: string[]): Promise<void> {
  await ctx.db
    .deleteFrom('push_devices')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .where('endpoint', 'in', endpoints)
    .execute()
}

function devices(ctx: OrgStoreContext, userId: Id<'users'>) {
  return ctx.db
    .selectFrom('push_devices')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .select(['endpoint', 'p256dh', 'auth', 'name', 'created_at'])
}
