// For how long the organization keeps what customers have said; what would go, and what has gone.
import { orgAction, orgMutation, orgQuery } from '#server/functions/define.ts'
import { type RetentionPreview, retentionSettings } from '#shared/messaging/retention.ts'
import { noArgs } from '#shared/schema.ts'
import { cutoffsOf } from './retention.job.ts'
import * as store from './retention.store.ts'

/** What members have set; live. */
export const get = orgQuery({ args: noArgs, handler: (ctx) => store.getRetention(ctx) })

/** Holds from the next round on, which is at night. */
export const set = orgMutation({
  args: retentionSettings,
  handler: async (ctx, days) => {
    await store.setRetention(ctx, days)
    return null
  },
})

/** How much would go now if this was set, and how many conversations would be left alone. */
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

/** What the settings, and erasures of customers, have removed lately, and what the settings have left alone; live. */
export const removals = orgQuery({ args: noArgs, handler: (ctx) => store.listRemovals(ctx) })
