// Events that the interface reports.
import { orgMutation } from '#server/functions/define.ts'
import { slugFallbackInput } from '#shared/organizations/analytics.ts'
import * as store from './analytics.store.ts'

/** Records that an id stood in a URL where a slug was expected. */
export const recordSlugFallback = orgMutation({
  args: slugFallbackInput,
  handler: async (ctx, event) => {
    await store.insertEvent(ctx, 'slug_fallback', event, ctx.now)
  },
})
