// Who of the organization takes conversations. Every member may set it for every other, like all that an organization has.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { updateOperatorInput } from '#shared/messaging/operators.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './operators.store.ts'
import { getMemberName, getOrganization } from './organizations.store.ts'

/** All members by name, with what they have in hand; live. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listOperators(ctx) })

/**
 * Changes what is given. Whoever becomes free by it is given what waits; what somebody has in hand stays with them.
 * @throws not_found for a person who is no member
 */
export const update = orgMutation({
  args: updateOperatorInput,
  handler: async (ctx, { userId, patch }) => {
    await getMemberName(ctx, userId)
    const { timeZone } = await getOrganization(ctx, ctx.organizationId)
    await store.updateOperator(ctx, userId, patch, { timeZone, at: ctx.now.getTime() })
    return null
  },
})
