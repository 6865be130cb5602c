// Operators of the organization. Every member may change every other, like everything in an organization.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { updateOperatorInput } from '#shared/messaging/operators.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './operators.store.ts'
import { getMemberName, getOrganization } from './organizations.store.ts'

/** All members by name, with the number of conversations they handle; live. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listOperators(ctx) })

/**
 * Changes the given settings. A member who becomes free by that is assigned waiting conversations; those assigned before stay.
 * @throws not_found for a person who is not a member
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
