// SQL of memberships: who belongs to an organization, and with which role.
import { changePerson, clearWorkplace } from '#server/platform/auth/people.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Colleague, MemberDetails, Workplace } from '#shared/organizations/members.ts'
import type { GrantedRole, OrganizationRole } from '#shared/organizations/policy.ts'

type NewMember = { organizationId: Id<'organizations'>; role: OrganizationRole; now: Date }

/** Makes a person a member. @returns whether they were none before */
export async function insertMember(ctx: StoreContext, userId: Id<'users'>, given: NewMember): Promise<boolean> {
  const { organizationId, role, now } = given
  const { numInsertedOrUpdatedRows } = await ctx.db
    .insertInto('members')
    .values({ user_id: userId, organization_id: organizationId, role, created_at: now })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id']).doNothing())
    .executeTakeFirst()
  const isNew = numInsertedOrUpdatedRows === 1n
  if (isNew) await changePerson(ctx.db, userId, { removed_organization: null })
  return isNew
}

/** Whether a person belongs to any organization. */
export async function isMemberAnywhere(ctx: StoreContext, userId: Id<'users'>): Promise<boolean> {
  const row = await ctx.db.selectFrom('members').where('user_id', '=', userId).select('user_id').limit(1).execute()
  return row.length > 0
}

/** The people of the organization, by name. */
export async function listMembers(ctx: OrgStoreContext): Promise<Colleague[]> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', ctx.organizationId)
    .select(['users.id', 'users.name', 'users.image', 'users.job_title', 'members.role'])
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    avatar: row.image || null,
    jobTitle: row.job_title,
    role: row.role,
  }))
}

/** The people of the organization with what the page of the team shows, by name. */
export async function listMemberDetails(ctx: OrgStoreContext): Promise<MemberDetails[]> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', ctx.organizationId)
    .select(['users.id', 'users.name', 'users.email', 'users.image', 'users.job_title', 'members.role'])
    .select(['users.two_factor_enabled', 'members.created_at'])
    .orderBy('users.name')
    .orderBy('users.id')
    .execute()
  const lastUses = await findLastUses(
    ctx,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    email: row.email,
    avatar: row.image || null,
    jobTitle: row.job_title,
    role: row.role,
    joinedAt: row.created_at.getTime(),
    lastActiveAt: lastUses.get(row.id) ?? null,
    hasTwoStep: row.two_factor_enabled,
  }))
}

/** When these people last used a session, milliseconds. By id, so that a live list depends on no session of others. */
async function findLastUses(ctx: StoreContext, userIds: Id<'users'>[]): Promise<Map<Id<'users'>, number>> {
  if (userIds.length === 0) return new Map()
  const rows = await ctx.db
    .selectFrom('sessions')
    .where('user_id', 'in', userIds)
    .select(({ fn }) => ['user_id', fn.max('last_used_at').as('at')])
    .groupBy('user_id')
    .execute()
  return new Map(rows.map(({ user_id: userId, at }) => [userId, at.getTime()]))
}

/** Name and role of a member. @throws AppError not_found for a person who is no member */
export async function getMember(
  ctx: OrgStoreContext,
  userId: Id<'users'>,
): Promise<{ name: string; role: OrganizationRole }> {
  const row = await ctx.db
    .selectFrom('members')
    .innerJoin('users', 'users.id', 'members.user_id')
    .where('members.organization_id', '=', ctx.organizationId)
    .where('members.user_id', '=', userId)
    .select(['users.name', 'members.role'])
    .executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return row
}

/** Gives a member another role; the owner's stays. @returns whether it was another one */
export async function setMemberRole(ctx: OrgStoreContext, userId: Id<'users'>, role: GrantedRole): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('members')
    .set({ role })
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .where('role', 'not in', ['owner', role])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Makes another member the owner; the one before becomes an administrator. */
export async function changeOwner(ctx: OrgStoreContext, from: Id<'users'>, to: Id<'users'>): Promise<void> {
  const set = (userId: Id<'users'>, role: OrganizationRole) =>
    ctx.db
      .updateTable('members')
      .set({ role })
      .where('organization_id', '=', ctx.organizationId)
      .where('user_id', '=', userId)
      .execute()
  await set(from, 'admin') // first: there is one owner at any time
  await set(to, 'owner')
  await ctx.db.updateTable('organizations').set({ owner_id: to }).where('id', '=', ctx.organizationId).execute()
}

/** Ends a membership, and has the person's sessions work elsewhere. The owner stays. @returns whether the person was a member */
export async function deleteMember(ctx: OrgStoreContext, userId: Id<'users'>): Promise<boolean> {
  const { numDeletedRows } = await ctx.db
    .deleteFrom('members')
    .where('organization_id', '=', ctx.organizationId)
    .where('user_id', '=', userId)
    .where('role', '<>', 'owner')
    .executeTakeFirst()
  if (numDeletedRows === 0n) return false
  await clearWorkplace(ctx.db, userId, ctx.organizationId)
  return true
}

/** The organizations that a person belongs to, by name. `current`: the one that they work in. */
export async function listWorkplaces(
  ctx: StoreContext,
  userId: Id<'users'>,
  current: Id<'organizations'> | null,
): Promise<Workplace[]> {
  const rows = await ctx.db
    .selectFrom('members')
    .innerJoin('organizations', 'organizations.id', 'members.organization_id')
    .where('members.user_id', '=', userId)
    .select(['organizations.id', 'organizations.name', 'organizations.logo_url', 'members.role'])
    .orderBy('organizations.name')
    .orderBy('organizations.id')
    .execute()
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    logoUrl: row.logo_url,
    role: row.role,
    isCurrent: row.id === current,
  }))
}

/** Ids of the organizations that a person belongs to and does not own. */
export async function listJoined(ctx: StoreContext, userId: Id<'users'>): Promise<Id<'organizations'>[]> {
  const joined = ctx.db.selectFrom('members').where('user_id', '=', userId).where('role', '<>', 'owner')
  return (await joined.select('organization_id').orderBy('organization_id').execute()).map((row) => row.organization_id)
}
