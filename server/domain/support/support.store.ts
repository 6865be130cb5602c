// SQL of the accesses by which administrators of the installation act on behalf of organizations.
import type { StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import type { SupportAccess } from '#shared/organizations/support.ts'

type NewAccess = {
  organizationId: Id<'organizations'>
  userId: Id<'users'>
  sessionId: Id<'sessions'>
  reason: string
  mayWrite: boolean
  beganAt: Date
  endsAt: Date
}

/** Of one organization, the newest. */
const LISTED_MAX = 20

/** Begins an access in the place of the one that the session has to this organization. */
export async function insertAccess(ctx: StoreContext, access: NewAccess): Promise<Id<'supportAccesses'>> {
  const { organizationId, userId, sessionId, reason, mayWrite, beganAt, endsAt } = access
  await ctx.db
    .updateTable('support_accesses')
    .set({ ended_at: beganAt })
    .where('session_id', '=', sessionId)
    .where('organization_id', '=', organizationId)
    .where('ended_at', 'is', null)
    .execute()
  const id = newId('supportAccesses')
  await ctx.db
    .insertInto('support_accesses')
    .values({
      ...{ id, organization_id: organizationId, user_id: userId, session_id: sessionId, reason },
      ...{ may_write: mayWrite, begun_at: beganAt, ends_at: endsAt, ended_at: null },
    })
    .execute()
  return id
}

/** Ends an access. @returns of which organization, and why it was begun; undefined: it had ended */
export async function endAccess(
  { db }: StoreContext,
  id: Id<'supportAccesses'>,
  at: Date,
): Promise<{ organizationId: Id<'organizations'>; reason: string } | undefined> {
  const row = await db
    .updateTable('support_accesses')
    .set({ ended_at: at })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .returning(['organization_id', 'reason'])
    .executeTakeFirst()
  return row && { organizationId: row.organization_id, reason: row.reason }
}

/** Ends an access whose time is over. Nothing when it was ended before. */
export async function expireAccess({ db }: StoreContext, id: Id<'supportAccesses'>): Promise<void> {
  await db
    .updateTable('support_accesses')
    .set(({ ref }) => ({ ended_at: ref('ends_at') }))
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

/** Who acts on behalf of an organization now. `own`: the access of the caller; null: they are a member. */
export async function listOpenAccesses(
  ctx: StoreContext,
  organizationId: Id<'organizations'>,
  own: Id<'supportAccesses'> | null,
): Promise<SupportAccess[]> {
  const rows = await accessesOf(ctx, organizationId).where('support_accesses.ended_at', 'is', null).execute()
  return rows.map((row) => toAccess(row, own))
}

/** The newest accesses to an organization, newest first. */
export async function listAccesses(ctx: StoreContext, organizationId: Id<'organizations'>): Promise<SupportAccess[]> {
  const rows = await accessesOf(ctx, organizationId).limit(LISTED_MAX).execute()
  return rows.map((row) => toAccess(row, null))
}

function accessesOf({ db }: StoreContext, organizationId: Id<'organizations'>) {
  return db
    .selectFrom('support_accesses')
    .innerJoin('users', 'users.id', 'support_accesses.user_id')
    .where('support_accesses.organization_id', '=', organizationId)
    .select(['support_accesses.id', 'users.name', 'support_accesses.reason', 'support_accesses.may_write'])
    .select(['support_accesses.begun_at', 'support_accesses.ends_at', 'support_accesses.ended_at'])
    .orderBy('support_accesses.begun_at', 'desc')
}

type Row = Awaited<ReturnType<ReturnType<typeof accessesOf>['execute']>>[number]

function toAccess(row: Row, own: Id<'supportAccesses'> | null): SupportAccess {
  return {
    _id: row.id,
    name: row.name,
    reason: row.reason,
    mayWrite: row.may_write,
    beganAt: row.begun_at.getTime(),
    endsAt: row.ends_at.getTime(),
    endedAt: row.ended_at?.getTime() ?? null,
    isOwn: row.id === own,
  }
}
