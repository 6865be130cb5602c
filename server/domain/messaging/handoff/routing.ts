// Assigns an operator to each conversation that needs one: among those who are available, within their hours and below capacity, the
// one whose last assignment is the oldest. Every change that may allow an assignment leaves a wake (routing.store.ts), which is deleted
// only after the queue was processed, so that it survives a crash in between. A conversation whose thread an operator already handles
// goes to that operator, regardless of capacity.
//
//   called ─► queue ─► assigned ─► a person writes, gives back, ends: there is room for the next
//               ▲          │
//               └──────────┘ taken off by hand

import { assignQueued, findFirstQueued, findJoining } from '#server/domain/messaging/handoff/queue.store.ts'
import { chooseOperator } from '#server/domain/organizations/operators.rules.ts'
import { holdCandidates, noteAssigned } from '#server/domain/organizations/operators.store.ts'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { PipelineContext } from '../turns/pipeline-context.ts'
import { forgetWakes, listWakes, type Wake } from './routing.store.ts'

/** Processes the queues with pending wakes. A failure in one organization does not block the others, and is retried. */
export async function routeWaiting(ctx: PipelineContext): Promise<void> {
  const wakes = await ctx.look('pipeline: what asks for its queue', listWakes)
  const done: number[] = []
  for (const [organizationId, those] of Map.groupBy(wakes, (wake) => wake.organizationId)) {
    const isWorthIt = those.some(({ mayAssign }) => mayAssign)
    if (!isWorthIt || (await isLookedThrough(ctx, organizationId))) done.push(...those.map(({ id }) => id))
  }
  if (done.length > 0) await ctx.system('pipeline: queues were looked through', (store) => forgetWakes(store, done))
}

/**
 * One transaction per conversation: each locks the operators, then one conversation with the rest of its thread. The fixed order
 * prevents deadlocks.
 */
async function isLookedThrough(ctx: PipelineContext, organizationId: Wake['organizationId']): Promise<boolean> {
  try {
    while (await ctx.organization(organizationId, assignNext));
    return true
  } catch (error) {
    ctx.logger.warn({ err: error, organizationId }, 'a queue was not looked through')
    return false
  }
}

/** @returns whether there may be more to assign */
async function assignNext(store: OrgStoreContext): Promise<boolean> {
  const joining = await findJoining(store)
  if (joining) {
    await assignQueued(store, joining.id, joining)
    return true
  }
  const candidates = await holdCandidates(store)
  const next = candidates.length > 0 ? await findFirstQueued(store) : undefined
  const chosen = next && chooseOperator(candidates, next.assigneeId)
  if (!chosen) return false
  if (await assignQueued(store, next.id, chosen)) await noteAssigned(store, chosen.userId)
  return true
}
