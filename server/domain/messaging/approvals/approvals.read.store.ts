// SQL of calls that wait for someone to agree, as the team sees them.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'
import { APPROVALS_LISTED, type ToolApproval } from '#shared/tools/approvals.ts'
import { calledName } from '../customers/contacts.store.ts'

/** Calls that wait for the team, the longest first, and those that were decided last. */
export async function listQueue(ctx: OrgStoreContext): Promise<ToolApproval[]> {
  const waiting = await approvals(ctx)
    .where('a.decider', '=', 'operator')
    .where('a.status', '=', 'waiting')
    .orderBy('a.asked_at')
    .limit(APPROVALS_LISTED.waiting)
    .execute()
  const decided = await approvals(ctx)
    .where('a.decider', '=', 'operator')
    .where('a.decided_at', 'is not', null)
    .orderBy('a.decided_at', 'desc')
    .limit(APPROVALS_LISTED.decided)
    .execute()
  return [...waiting, ...decided].map(toClient)
}

/** Those of one conversation, decided by anyone; the newest last. */
export async function listOfConversation(
  ctx: OrgStoreContext,
  conversationId: Id<'conversations'>,
): Promise<ToolApproval[]> {
  const rows = await approvals(ctx)
    .where('a.conversation_id', '=', conversationId)
    .orderBy('a.asked_at', 'desc')
    .limit(APPROVALS_LISTED.decided)
    .execute()
  return rows.map(toClient).toReversed()
}

function approvals(ctx: OrgStoreContext) {
  return ctx.db
    .selectFrom('tool_approvals as a')
    .innerJoin('conversations', 'conversations.id', 'a.conversation_id')
    .innerJoin('agents', 'agents.id', 'a.agent_id')
    .leftJoin('customers', 'customers.id', 'conversations.customer_id')
    .leftJoin('customers as people', 'people.id', 'customers.person_id')
    .leftJoin('users', 'users.id', 'a.decided_by')
    .where('a.organization_id', '=', ctx.organizationId)
    .where('conversations.organization_id', '=', ctx.organizationId)
    .where('agents.organization_id', '=', ctx.organizationId)
    .select([
      'a.id',
      'a.conversation_id',
      'a.decider',
      'a.status',
      'a.tool_name',
      'a.title',
      'a.arguments',
      'a.failure',
    ])
    .select(['a.result', 'a.asked_at', 'a.expires_at', 'a.decided_at'])
    .select(['agents.name as agent_name', 'users.name as decided_by_name', calledName.as('customer_name')])
}

type Row = Awaited<ReturnType<ReturnType<typeof approvals>['executeTakeFirstOrThrow']>>

function toClient(row: Row): ToolApproval {
  return {
    ...{ _id: row.id, conversationId: row.conversation_id, customerName: row.customer_name, agentName: row.agent_name },
    ...{ by: row.decider, status: row.status, tool: row.tool_name, title: row.title, arguments: row.arguments },
    ...{ askedAt: row.asked_at.getTime(), expiresAt: row.expires_at.getTime() },
    ...{ decidedAt: row.decided_at?.getTime() ?? null, decidedBy: row.decided_by_name },
    ...{ failure: row.failure, result: row.result },
  }
}
