// The signed-in person.
import { userMutation, userQuery } from '#server/functions/define.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './users.store.ts'

/** The caller, with role, organization and plan. */
export const current = userQuery({
  args: noArgs,
  handler: (ctx) => store.getCurrentUser(ctx, ctx.caller.userId),
})

/** The caller, as `current`: for clients that ask once after signing in. Safe to repeat. */
export const ensure = userMutation({
  args: noArgs,
  handler: (ctx) => store.getCurrentUser(ctx, ctx.caller.userId),
})
