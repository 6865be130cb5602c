// Models that an agent may be given. On the wire: models.
import { orgQuery } from '#server/functions/define.ts'
import { noArgs } from '#shared/schema.ts'

/** All known models, with whether they can be used in this installation and what they cost. */
export const list = orgQuery({
  args: noArgs,
  handler: async (ctx) => ctx.models.models(),
})
