// SQL for the signed-in person.
import type { StoreContext } from '#server/db/database.ts'
import { getOrganization } from '#server/features/organizations/organizations.store.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { CurrentUser } from '#shared/organizations.ts'

const DEFAULT_PLAN = 'starter'

/** A user with the organization they work in. Keys are asked one by one, so that a live result depends on these rows only. */
export async function getCurrentUser(ctx: StoreContext, userId: Id<'users'>): Promise<CurrentUser> {
  const user = await ctx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['id', 'email', 'name', 'image', 'role'])
    .executeTakeFirst()
  if (!user) throw new AppError('unauthenticated')
  const member = await ctx.db
    .selectFrom('members')
    .where('user_id', '=', userId)
    .select('organization_id')
    .executeTakeFirst()
  const organization = member ? await getOrganization(ctx, member.organization_id) : null
  return {
    _id: user.id,
    email: user.email,
    name: user.name,
    avatar: user.image || null,
    role: user.role,
    organizationId: organization?._id ?? null,
    plan: organization?.plan ?? DEFAULT_PLAN,
    organization,
  }
}

/** Makes an owner a member of their organization again when they are a member of none. */
export async function restoreMembership(ctx: StoreContext, userId: Id<'users'>, now: Date): Promise<void> {
  const owned = await ctx.db
    .selectFrom('organizations')
    .where('owner_id', '=', userId)
    .select('id')
    .orderBy('created_at')
    .executeTakeFirst()
  if (!owned) return
  await ctx.db
    .insertInto('members')
    .values({ user_id: userId, organization_id: owned.id, created_at: now })
    .onConflict((conflict) => conflict.column('user_id').doNothing())
    .execute()
}
