// SQL for organizations and their members.
import type { StoreContext } from '#server/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { Organization } from '#shared/organizations.ts'

export type NewOrganization = {
  id: Id<'organizations'>
  name: string
  displayName: string | null
  supportEmail: string | null
  ownerId: Id<'users'>
}

/** One organization. @throws AppError not_found */
export async function getOrganization(ctx: StoreContext, id: Id<'organizations'>): Promise<Organization> {
  const row = await ctx.db.selectFrom('organizations').where('id', '=', id).selectAll().executeTakeFirst()
  if (!row) throw new AppError('not_found')
  return {
    _id: row.id,
    name: row.name,
    displayName: row.display_name,
    logoUrl: row.logo_url,
    supportEmail: row.support_email,
    plan: row.plan,
    monthlyLimit: row.monthly_limit,
    ownerId: row.owner_id,
    timeZone: row.time_zone,
    createdAt: row.created_at.getTime(),
  }
}

/** Adds an organization. */
export async function insertOrganization(ctx: StoreContext, organization: NewOrganization, now: Date): Promise<void> {
  await ctx.db
    .insertInto('organizations')
    .values({
      id: organization.id,
      name: organization.name,
      display_name: organization.displayName,
      logo_url: null,
      support_email: organization.supportEmail,
      plan: null,
      monthly_limit: null,
      owner_id: organization.ownerId,
      created_at: now,
    })
    .execute()
}

/** Makes a user a member. @throws AppError organization_exists when the user is in an organization already */
export async function insertMember(
  ctx: StoreContext,
  userId: Id<'users'>,
  organizationId: Id<'organizations'>,
  now: Date,
): Promise<void> {
  const inserted = await ctx.db
    .insertInto('members')
    .values({ user_id: userId, organization_id: organizationId, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .returning('user_id')
    .executeTakeFirst()
  if (!inserted) throw new AppError('organization_exists')
}

/** Sets the owner's name, as given in the first step of sign-up. */
export async function renameOwner(ctx: StoreContext, userId: Id<'users'>, name: string, now: Date): Promise<void> {
  await ctx.db.updateTable('users').set({ name, updated_at: now }).where('id', '=', userId).execute()
}
