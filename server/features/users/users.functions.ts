// The signed-in person.
import { userMutation, userQuery } from '#server/functions/define.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './users.store.ts'

/** The caller, with role, organization and plan. */
export const current = userQuery({
  args: noArgs,
  handler: (ctx) => store.getCurrentUser(ctx, ctx.caller.userId),
})

/**
 * The caller, as `current`, after what is missing of their record was made again: an owner is a member of what they own. Safe to repeat.
 * @throws unauthenticated when there is no such account any more
 */
export const ensure = userMutation({
  args: noArgs,
  handler: async (ctx) => {
    await store.restoreMembership(ctx, ctx.caller.userId, ctx.now)
    return store.getCurrentUser(ctx, ctx.caller.userId)
  },
})
