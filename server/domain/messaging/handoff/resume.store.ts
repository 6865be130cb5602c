// SQL of pauses that run out: the agent is resumed, and customers who wait for it are answered. Conversations that called a person
// still need one.
import { speakAgain } from '#server/domain/messaging/handoff/withheld.store.ts'
import type { StoreContext } from '#server/platform/db/database.ts'
import { failpoint } from '#server/platform/lib/failpoints.ts'
import type { Id } from '#shared/ids.ts'
import { type Resumed, resumeDueConversations } from '../conversations/writes/silence.store.ts'
import { addReturns } from '../conversations/writes/team-lines.store.ts'
import { requestOpenTurns } from '../turns/turn-requests.store.ts'

/** Resumes conversations whose pause is over, and requests turns for the customers who wait. @returns the number of conversations */
export async function resumeDue(ctx: StoreContext): Promise<number> {
  const rows = await resumeDueConversations(ctx)
  for (const [organizationId, ids] of byOrganization(rows)) await speakAgain({ db: ctx.db, organizationId }, ids)
  const unattended = rows.filter(({ isUnattended }) => isUnattended)
  if (unattended.length > 0) await addReturns(ctx, unattended)
  if (rows.length > 0) await requestOpenTurns(ctx, rows)
  failpoint('pauses-ending')
  return rows.length
}

function byOrganization(rows: Resumed[]): Map<Id<'organizations'>, Id<'conversations'>[]> {
  const found = new Map<Id<'organizations'>, Id<'conversations'>[]>()
  for (const { organizationId, id } of rows) found.set(organizationId, [...(found.get(organizationId) ?? []), id])
  return found
}
