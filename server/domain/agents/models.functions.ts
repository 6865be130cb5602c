// Models that an agent may be given. On the wire: models.
import { listOffered } from '#server/domain/models/offered.ts'
import { orgAction, orgQuery } from '#server/functions/define.ts'
import { noArgs } from '#shared/schema.ts'

/** All known models, with whether they can be used in this installation and what they cost. */
export const list = orgQuery({
  args: noArgs,
  handler: (ctx) => listOffered(ctx, Date.now()),
})

/** Providers for recordings, pictures and spoken answers. Changes only with the configuration. */
export const media = orgAction({
  args: noArgs,
  handler: async (ctx) => ctx.services.media.providers(),
})
