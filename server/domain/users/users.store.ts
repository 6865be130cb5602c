// SQL for the signed-in person.
import { getOrganization, insertMemberOnce } from '#server/domain/organizations/organizations.store.ts'
import { changePerson, replacePicture } from '#server/platform/auth/people.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import type { CurrentUser, ProfileSettings } from '#shared/organizations/organizations.ts'

const DEFAULT_PLAN = 'starter'

/** A user with the organization they work in. Rows are read by key, so that a live result depends on these only. */
export async function getCurrentUser(ctx: StoreContext, userId: Id<'users'>): Promise<CurrentUser> {
  const user = await ctx.db
    .selectFrom('users')
    .where('id', '=', userId)
    .select(['id', 'email', 'name', 'image', 'role', 'job_title', 'bio', 'language', 'time_zone'])
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
    jobTitle: user.job_title,
    bio: user.bio,
    language: user.language,
    timeZone: user.time_zone,
    role: user.role,
    organizationId: organization?._id ?? null,
    plan: organization?.plan ?? DEFAULT_PLAN,
    organization,
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

/** Makes an owner a member of their organization again when they are a member of none. */
export async function restoreMembership(ctx: StoreContext, userId: Id<'users'>, now: Date): Promise<void> {
  const owned = await ctx.db
    .selectFrom('organizations')
    .where('owner_id', '=', userId)
    .select('id')
    .orderBy('created_at')
    .executeTakeFirst()
  if (!owned) return
  await insertMemberOnce(ctx, userId, { organizationId: owned.id, now })
}

/** The address of a person's picture; null: none. */
export async function getAvatar(ctx: StoreContext, userId: Id<'users'>): Promise<string | null> {
  const row = await ctx.db.selectFrom('users').where('id', '=', userId).select('image').executeTakeFirst()
  return row?.image || null
}

/** Writes where a person's picture is served from now on. @returns whether it was still the one that is replaced */
export async function replaceAvatar(
  ctx: StoreContext,
  userId: Id<'users'>,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  return replacePicture(ctx.db, userId, { from, to })
}
