// Finds a person for each conversation that calls for one: whoever is there, has hours, is not full, and was given one longest ago.
// Whatever may make that possible leaves a row behind (061-operators); it goes only after the queue was looked through, so that a server
// that dies in between leaves it to the next. What is shown as one with a conversation that somebody has in hand is theirs, however
// much they have.
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

/** Looks through the queues that ask for it. That of one organization failing holds up no other, and is looked through again. */
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
 * A conversation a transaction: each holds the operators and one conversation with what is shown as one with it, in this order, so that no
 * two wait for each other.
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

/** @returns whether there may be more to give */
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
