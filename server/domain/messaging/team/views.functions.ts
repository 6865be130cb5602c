// Saved views of the inbox: the organization's, which every member may change, and each member's own.
import { orgMutation, userQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { createViewInput, setDefaultViewInput, updateViewInput, viewInput } from '#shared/messaging/views.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './views.store.ts'

/** Those that the caller sees, by name. @throws organization_required */
export const list = userQuery({
  args: noArgs,
  handler: async ({ db, caller }) => {
    const { organizationId, userId } = caller
    if (!organizationId) throw new AppError('organization_required')
    return store.listViews({ db, organizationId }, userId)
  },
})

/** Adds one. @throws too_many_views */
export const create = orgMutation({
  args: createViewInput,
  lockKey: ({ organizationId }) => organizationId ?? '',
  handler: async (ctx, view) => ({ viewId: await store.insertView(ctx, ctx.caller.userId, view) }),
})

/** Renames one, and sets whose it is. @throws not_found, too_many_views */
export const update = orgMutation({
  args: updateViewInput,
  lockKey: ({ organizationId }) => organizationId ?? '',
  handler: async (ctx, { viewId, ...content }) => {
    await store.updateView(ctx, ctx.caller.userId, viewId, content)
    return null
  },
})

/** Removes one; an inbox that opened with it opens unfiltered. @throws not_found */
export const remove = orgMutation({
  args: viewInput,
  handler: async (ctx, { viewId }) => {
    await store.deleteView(ctx, ctx.caller.userId, viewId)
    return null
  },
})

/** Makes this the view with which the caller's inbox opens. @throws not_found */
export const setDefault = orgMutation({
  args: setDefaultViewInput,
  handler: async (ctx, { viewId }) => {
    await store.setDefaultView(ctx, ctx.caller.userId, viewId)
    return null
  },
})
