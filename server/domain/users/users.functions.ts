// The signed-in person.

import { isOwnPicture, knowsTimeZone } from '#server/domain/organizations/organizations.store.ts'
import { hostPictureLater } from '#server/domain/organizations/pictures.job.ts'
import { userMutation, userQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { updateProfileInput } from '#shared/organizations/organizations.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './users.store.ts'

/** The caller, with role, organization and plan. */
export const current = userQuery({
  args: noArgs,
  handler: (ctx) => store.getCurrentUser(ctx, ctx.caller),
})

/**
 * The caller, as `current`, after repairing missing parts of their record: an owner is a member of what they own. Safe to repeat.
 * @throws unauthenticated when the account is gone
 */
export const ensure = userMutation({
  args: noArgs,
  handler: async (ctx) => {
    return store.getCurrentUser(ctx, await store.restoreMembership(ctx, ctx.caller, ctx.now))
  },
})

/** Someone moves the pointer or presses keys in an open page: its session counts as used. Screens send it once a minute at most. */
export const active = userMutation({
  args: noArgs,
  handler: async () => null,
})

/**
 * Changes the given fields of the caller's profile. An external avatar is fetched in the background and then served from here.
 * @throws invalid_arguments for a time zone that is unknown, and for the file of another's picture
 */
export const updateProfile = userMutation({
  args: updateProfileInput,
  handler: async (ctx, { patch }) => {
    if (patch.timeZone && !(await knowsTimeZone(ctx, patch.timeZone))) {
      throw new AppError('invalid_arguments', { path: 'timeZone' })
    }
    const { userId } = ctx.caller
    const { avatar } = await store.getCurrentUser(ctx, ctx.caller)
    if (!isOwnPicture(avatar, patch.avatarUrl)) throw new AppError('invalid_arguments', { path: 'avatarUrl' })
    await store.updateProfile(ctx, userId, { patch, now: ctx.now })
    if (patch.avatarUrl !== undefined) await hostPictureLater(ctx, { of: 'user', id: userId }, avatar)
    return store.getCurrentUser(ctx, ctx.caller)
  },
})
