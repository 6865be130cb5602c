// For how long the organization keeps customers' messages; what would be removed, and what has been.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { changesOf } from '#server/platform/audit/changes.rules.ts'
import { type RetentionPreview, retentionSettings } from '#shared/messaging/retention.ts'
import { noArgs } from '#shared/schema.ts'
import { cutoffsOf } from './retention.job.ts'
import * as store from './retention.store.ts'

/** The settings of the organization; live. */
export const get = orgQuery({ args: noArgs, handler: (ctx) => store.getRetention(ctx) })

/** Applies from the next nightly run on. */
export const set = orgMutation({
  args: retentionSettings,
  isAudited: true,
  handler: async (ctx, days) => {
    const before = await store.getRetention(ctx)
    await store.setRetention(ctx, days)
    await ctx.audit({ ...changesOf(before, days) })
    return null
  },
})

/** How much these settings would remove now, and how many conversations they would leave alone. */
export const preview = orgAction({
  args: retentionSettings,
  handler: (ctx, days): Promise<RetentionPreview> => {
    const cutoffs = cutoffsOf(days, ctx.now)
    return ctx.read(async (reading) => ({
      ...(await store.countOverdue(reading, cutoffs)),
      left: await store.countLeftAlone(reading, cutoffs),
    }))
  },
})

/** What the settings, and erasures of customers, have removed recently, and what the settings have left alone; live. */
export const removals = orgQuery({ args: noArgs, handler: (ctx) => store.listRemovals(ctx) })
