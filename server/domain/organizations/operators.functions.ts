// Operators of the organization: the members who may answer customers.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import { updateOperatorInput } from '#shared/messaging/operators.ts'
import { may, mayAnswer } from '#shared/organizations/policy.ts'
import { noArgs } from '#shared/schema.ts'
import { getMember } from './members.store.ts'
import * as store from './operators.store.ts'
import { getOrganization } from './organizations.store.ts'

/** All members who may answer customers, by name, with the number of conversations they handle; live. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listOperators(ctx) })

/**
 * Changes the given settings. A member who becomes free by that is assigned waiting conversations; those assigned before stay.
 * @throws not_found for a person who is not a member; cannot_answer for one whose role does not answer customers; role_required for a
 * colleague's settings, which are for those who manage members
 */
export const update = orgMutation({
  args: updateOperatorInput,
  handler: async (ctx, { userId, patch }) => {
    const { userId: self, organizationRole: role } = ctx.caller
    const member = await getMember(ctx, userId)
    if (userId !== self && !may(role, 'members.write')) throw new AppError('role_required', { role })
    if (!mayAnswer(member.role)) throw new AppError('cannot_answer')
    const { timeZone } = await getOrganization(ctx, ctx.organizationId)
    await store.updateOperator(ctx, userId, patch, { timeZone, at: ctx.now.getTime() })
    return null
  },
})
