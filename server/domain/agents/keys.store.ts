// SQL for the keys of model providers that agents have of their own.
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { AgentKey, KeyProvider } from '#shared/agents/agent-keys.ts'
import type { Id } from '#shared/ids.ts'

/** Stored keys: encrypted, by provider. */
export type SealedKeys = Partial<Record<KeyProvider, string>>

/** What may be shown of an agent's keys, by provider. */
export async function listKeys(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<AgentKey[]> {
  const rows = await keysOf(ctx, agentId).select(['provider', 'key_tail', 'updated_at']).orderBy('provider').execute()
  return rows.map((row) => ({
    agentId,
    provider: row.provider,
    maskedKey: `••••${row.key_tail}`,
    updatedAt: row.updated_at.getTime(),
  }))
}

/** The encrypted keys of an agent. */
export async function findSealedKeys(ctx: OrgStoreContext, agentId: Id<'agents'>): Promise<SealedKeys> {
  const rows = await keysOf(ctx, agentId).select(['provider', 'key']).execute()
  return Object.fromEntries(rows.map((row) => [row.provider, row.key]))
}

/** Stores a key in place of the one before. */
export async function saveKey(
  ctx: OrgStoreContext,
  agentId: Id<'agents'>,
  stored: { provider: KeyProvider; key: string; tail: string },
  now: Date,
): Promise<void> {
  const changes = { key: stored.key, key_tail: stored.tail, updated_at: now }
  await ctx.db
    .insertInto('agent_keys')
    .values({ organization_id: ctx.organizationId, agent_id: agentId, provider: stored.provider, ...changes })
    .onConflict((conflict) => conflict.columns(['agent_id', 'provider']).doUpdateSet(changes))
    .execute()
}

/** Forgets a key; without `provider` all keys of the agent. Safe to repeat. */
export async function deleteKeys(ctx: OrgStoreContext, agentId: Id<'agents'>, provider?: KeyProvider): Promise<void> {
  let removed = ctx.db
    .deleteFrom('agent_keys')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
  if (provider) removed = removed.where('provider', '=', provider)
  await removed.execute()
}

function keysOf(ctx: OrgStoreContext, agentId: Id<'agents'>) {
  return ctx.db
    .selectFrom('agent_keys')
    .where('organization_id', '=', ctx.organizationId)
    .where('agent_id', '=', agentId)
}
