// SQL for the signed-in person.
import { insertMember } from '#server/domain/organizations/members.store.ts'
import { getOrganization } from '#server/domain/organizations/organizations.store.ts'
import { listOpenAccesses } from '#server/domain/support/support.store.ts'
import { changePerson, replacePicture } from '#server/platform/auth/people.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import type { Caller } from '#server/platform/functions/caller.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { CurrentUser, ProfileSettings } from '#shared/organizations/organizations.ts'

const DEFAULT_PLAN = 'starter'

type Membership = Pick<
  Caller,
  'userId' | 'organizationId' | 'organizationRole' | 'lacksTwoStep' | 'suspended' | 'support'
>

/** A user with the organization they work in. Rows are read by key, so that a live result depends on these only. */
export async function getCurrentUser(ctx: StoreContext, { userId, ...caller }: Membership): Promise<CurrentUser> {
  const user = await ctx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['id', 'email', 'email_verified', 'name', 'image', 'role', 'job_title', 'bio', 'language', 'time_zone'])
    .select('removed_organization')
    .executeTakeFirst()
  if (!user) throw new AppError('unauthenticated')
  const organization = caller.organizationId ? await getOrganization(ctx, caller.organizationId) : null
  return {
    _id: user.id,
    email: user.email,
    isEmailVerified: user.email_verified,
    name: user.name,
    avatar: user.image || null,
    jobTitle: user.job_title,
    bio: user.bio,
    language: user.language,
    timeZone: user.time_zone,
    role: user.role,
    organizationId: organization?._id ?? null,
    organizationRole: caller.organizationRole,
    plan: organization?.plan ?? DEFAULT_PLAN,
    organization,
    twoStepRequired: caller.lacksTwoStep,
    suspended: caller.suspended,
    supportAccesses: organization
      ? await listOpenAccesses(ctx, organization._id, caller.support?.accessId ?? null)
      : [],
    removedOrganization: organization ? null : user.removed_organization,
  }
}

type ProfilePatch = { [Name in keyof ProfileSettings]?: ProfileSettings[Name] | undefined }

/** Changes the given fields of a person's profile. */
export async function updateProfile(
  ctx: StoreContext,
  userId: Id<'users'>,
  { patch, now }: { patch: ProfilePatch; now: Date },
): Promise<void> {
  const { name, jobTitle, bio, language, timeZone, avatarUrl } = patch
  const values = {
    ...(name !== undefined && { name }),
    ...(jobTitle !== undefined && { job_title: jobTitle }),
    ...(bio !== undefined && { bio }),
    ...(language !== undefined && { language }),
    ...(timeZone !== undefined && { time_zone: timeZone }),
    ...(avatarUrl !== undefined && { image: avatarUrl || null }),
  }
  if (Object.keys(values).length === 0) return
  await changePerson(ctx.db, userId, { ...values, updated_at: now })
}

/** Makes an owner a member of their organization again when they are a member of none. @returns in which they work now */
export async function restoreMembership(ctx: StoreContext, caller: Membership, now: Date): Promise<Membership> {
  const { userId } = caller
  if (caller.organizationId !== null) return caller
  const owned = await ctx.db
    .selectFrom('organizations')
    .where('owner_id', '=', userId)
    .select('id')
    .orderBy('created_at')
    .executeTakeFirst()
  if (!owned) return caller
  const isNew = await insertMember(ctx, userId, { organizationId: owned.id, role: 'owner', now })
  return isNew ? { ...caller, organizationId: owned.id, organizationRole: 'owner' } : caller
}

/** The address of a person's picture; null: none. */
export async function getAvatar(ctx: StoreContext, userId: Id<'users'>): Promise<string | null> {
  const row = await ctx.db.selectFrom('users').where('id', '=', userId).select('image').executeTakeFirst()
  return row?.image || null
}

/** Gives a person a picture. @returns the address of the one before; null: none */
export async function setAvatar(ctx: StoreContext, userId: Id<'users'>, path: string): Promise<string | null> {
  const before = await getAvatar(ctx, userId)
  await changePerson(ctx.db, userId, { image: path, updated_at: new Date() })
  return before
}

/** Writes where a person's picture is served from now on. @returns whether it was still the one that is replaced */
export async function replaceAvatar(
  ctx: StoreContext,
  userId: Id<'users'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return replacePicture(ctx.db, userId, { from, to })
}
