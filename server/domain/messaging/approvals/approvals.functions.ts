// Calls of tools that wait for the team to agree. On the wire: conversations/approvals.
import { decide } from '#server/domain/tools/approvals.store.ts'
import type { OrgMutationContext } from '#server/functions/context.ts'
import { orgMutation, orgQuery } from '#server/functions/define.ts'
import { AppError } from '#shared/errors.ts'
import type { Id } from '#shared/ids.ts'
import { approvalInput, listApprovalsInput } from '#shared/tools/approvals.ts'
import { listOfConversation, listQueue } from './approvals.read.store.ts'
import { approvedCallJob } from './approved-calls.job.ts'

/** The queue of the team, or all calls of one conversation; live. */
export const list = orgQuery({
  args: listApprovalsInput,
  handler: (ctx, { conversationId }) => (conversationId ? listOfConversation(ctx, conversationId) : listQueue(ctx)),
})

/** Has a call carried out. The customer hears of the result. @throws approval_decided when it does not wait any more */
export const approve = orgMutation({
  args: approvalInput,
  isAudited: true,
  handler: async (ctx, { approvalId }) => {
    await decideByTeam(ctx, approvalId, 'approved')
    await ctx.jobs.send(ctx.db, approvedCallJob, { organizationId: ctx.organizationId, id: approvalId })
    return null
  },
})

/** The call is not carried out, and the customer hears that. @throws approval_decided when it does not wait any more */
export const decline = orgMutation({
  args: approvalInput,
  isAudited: true,
  handler: async (ctx, { approvalId }) => {
    await decideByTeam(ctx, approvalId, 'declined')
    return null
  },
})

async function decideByTeam(
  ctx: OrgMutationContext,
  id: Id<'toolApprovals'>,
  status: 'approved' | 'declined',
): Promise<void> {
  const decided = await decide(ctx, { id, by: 'operator', status, userId: ctx.caller.userId })
  if (!decided) throw new AppError('approval_decided')
  const { tool } = decided
  await ctx.audit({ resource: { kind: 'toolCall', id, name: tool.title }, after: { tool: tool.name, status } })
}
