// What trying out a search has cost.
import { recordUsage } from '#server/domain/billing/billing.store.ts'
import type { OrgActionContext } from '#server/functions/context.ts'
import type { ModelCall } from '#server/integrations/llm/llm.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'

/** Counts model calls that no customer has caused. They are not messages. `agentId`: whose search was tested, null for a space's. */
export async function countTried(
  ctx: OrgActionContext,
  calls: ModelCall[],
  agentId: Id<'agents'> | null = null,
): Promise<void> {
  const event = { agentId, category: 'helper_generation', channel: 'test', messages: 0 } as const
  for (const call of calls) {
    const sourceId = newId()
    await ctx.write((write) => recordUsage(write, { ...event, sourceId, call, occurredAt: write.now }))
  }
}
