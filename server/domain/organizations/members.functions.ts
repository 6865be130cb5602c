// The people of the organization, their roles, and how they come to leave it.
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { memberInput, setRoleInput } from '#shared/organizations/members.ts'
import { mayAnswer, mayManage } from '#shared/organizations/policy.ts'
import { noArgs } from '#shared/schema.ts'
import * as store from './members.store.ts'
import { endAnswering, leaveOrganization } from './membership.ts'

/** Everybody in the organization, by name. */
export const list = orgQuery({ args: noArgs, handler: (ctx) => store.listMemberDetails(ctx) })

/**
 * Gives a member another role, from the next call on. Conversations of one who may not answer any more go back to the queue.
 * @throws not_found for a person who is no member; last_owner for the owner
 */
export const setRole = orgMutation({
  args: setRoleInput,
  isAudited: true,
  handler: async (ctx, { userId, role }) => {
    const member = await store.getMember(ctx, userId)
    if (!mayManage(ctx.caller.organizationRole, member.role)) throw new AppError('last_owner')
    const hasChanged = await store.setMemberRole(ctx, userId, role)
    await ctx.audit({ resource: resourceOf(userId, member), before: { role: member.role }, after: { role } })
    if (hasChanged && mayAnswer(member.role) && !mayAnswer(role)) await endAnswering(ctx, userId, ctx.caller.userId)
    return null
  },
})

/**
 * Ends a membership at once. What the member had in hand goes back to the queue.
 * @throws not_found for a person who is no member; last_owner for the owner
 */
export const remove = orgMutation({
  args: memberInput,
  isAudited: true,
  handler: async (ctx, { userId }) => {
    const member = await store.getMember(ctx, userId)
    if (!mayManage(ctx.caller.organizationRole, member.role)) throw new AppError('last_owner')
    await leaveOrganization(ctx, userId, ctx.caller.userId)
    await ctx.audit({ resource: resourceOf(userId, member), before: { role: member.role } })
    return null
  },
})

/**
 * Ends the caller's own membership.
 * @throws last_owner for the owner, who hands the organization over first
 */
export const leave = orgMutation({
  args: noArgs,
  isAudited: true,
  handler: async (ctx) => {
    const { userId, organizationRole } = ctx.caller
    if (organizationRole === 'owner') throw new AppError('last_owner')
    await leaveOrganization(ctx, userId, userId)
    await ctx.audit({ resource: resourceOf(userId, ctx.caller), before: { role: organizationRole } })
    return null
  },
})

/**
 * Makes another member the owner; the caller becomes an administrator.
 * @throws not_found for a person who is no member
 */
export const handOver = orgMutation({
  args: memberInput,
  isAudited: true,
  handler: async (ctx, { userId }) => {
    const { caller } = ctx
    const member = await store.getMember(ctx, userId)
    await ctx.audit({
      resource: resourceOf(userId, member),
      before: { ownerId: caller.userId, owner: caller.name },
      after: { ownerId: userId, owner: member.name },
    })
    if (userId !== ctx.caller.userId) await store.changeOwner(ctx, ctx.caller.userId, userId)
    return null
  },
})

function resourceOf(userId: Id<'users'>, { name }: { name: string }) {
  return { kind: 'member', id: userId, name }
}
