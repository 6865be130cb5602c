// What an answer writes down of calls that wait for someone to agree: those that it asks for, and that the customer has heard of others.
import { clearOwed, insertApprovals } from '#server/domain/tools/approvals.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import { APPROVAL_HOURS } from '#shared/tools/approvals.ts'
import type { Turn } from '../turns/turn.ts'
import { owedIds, type TurnApprovals } from './settle.ts'

/** Functions that send one statement each. They belong into the transaction that writes the answer. */
export function approvalStatements(
  { conversationId, turnId, agent }: Turn,
  approvals: TurnApprovals | null,
): ((ctx: OrgStoreContext) => Promise<void>)[] {
  if (!approvals) return []
  const { asked: calls } = approvals
  const owed = owedIds(approvals)
  const askedAt = new Date()
  const expiresAt = new Date(askedAt.getTime() + APPROVAL_HOURS * 3_600_000)
  const asking = { conversationId, turnId, agentId: agent.id }
  return [
    ...(calls.length > 0
      ? [(ctx: OrgStoreContext) => insertApprovals(ctx, asking, { calls, askedAt, expiresAt })]
      : []),
    ...(owed.length > 0 ? [(ctx: OrgStoreContext) => clearOwed(ctx, owed)] : []),
  ]
}
