// SQL of agents' monthly usage: the sums that recordUsage keeps, and the limits that they are shown with.
import { sql } from 'kysely'
import type { OrgStoreContext } from '#server/platform/db/database.ts'
import type { Id } from '#shared/ids.ts'

/** Usage of one agent in a month. `agentId` null: usage of no agent, such as indexing knowledge. */
export type AgentSum = {
  agentId: Id<'agents'> | null
  messages: number
  tokens: number
  costMicroUsd: number
  unpricedCalls: number
}

/** An agent with the ceiling in the settings that answer customers; null: it has none. */
export type SpendingAgent = { agentId: Id<'agents'>; name: string; isDeleted: boolean; limitUsd: number | null }

/** Sums of a month, `YYYY-MM`, by agent. Agents without usage are missing. */
export async function listAgentSums(ctx: OrgStoreContext, month: string): Promise<AgentSum[]> {
  const rows = await ctx.db
    .selectFrom('usage_months')
    .where('organization_id', '=', ctx.organizationId)
    .where('month', '=', month)
    .select(({ fn }) => [
      'agent_id',
      fn.sum<number>('messages').as('messages'),
      fn.sum<number>('tokens').as('tokens'),
      fn.sum<number>('cost_micro_usd').as('cost'),
      fn.sum<number>('unpriced_calls').as('unpriced'),
    ])
    .groupBy('agent_id')
    .execute()
  return rows.map((row) => ({
    agentId: row.agent_id === '' ? null : row.agent_id,
    messages: Number(row.messages),
    tokens: Number(row.tokens),
    costMicroUsd: Number(row.cost),
    unpricedCalls: Number(row.unpriced),
  }))
}

/** All agents, deleted ones too: they may have cost something this month. */
export async function listSpendingAgents(ctx: OrgStoreContext): Promise<SpendingAgent[]> {
  const limit = sql<number | null>`(${sql.ref('agent_versions.settings')} -> 'spending' ->> 'monthlyLimitUsd')::float8`
  const rows = await ctx.db
    .selectFrom('agents')
    .innerJoin('agent_versions', 'agent_versions.agent_id', 'agents.id')
    .where('agents.organization_id', '=', ctx.organizationId)
    .whereRef('agent_versions.number', '=', 'agents.live_version')
    .select(['agents.id', 'agents.name', 'agents.deleted_at', limit.as('limit')])
    .execute()
  return rows.map((row) => ({
    agentId: row.id,
    name: row.name,
    isDeleted: row.deleted_at !== null,
    limitUsd: row.limit,
  }))
}

/** The organization's ceiling a month, millionths of a US dollar; null: none. */
export async function findSpendLimit(ctx: OrgStoreContext): Promise<number | null> {
  const row = await ctx.db
    .selectFrom('organizations')
    .where('id', '=', ctx.organizationId)
    .select('monthly_spend_limit_micro_usd as limit')
    .executeTakeFirstOrThrow()
  return row.limit === null ? null : Number(row.limit)
}

/** Recomputes this month and the last after the organization's time zone has changed. Earlier months are not shown any more. */
export async function recountMonths(ctx: OrgStoreContext): Promise<void> {
  await sql`delete from usage_months where organization_id = ${ctx.organizationId}`.execute(ctx.db)
  await sql`insert into usage_months (organization_id, month, agent_id, shard, messages, tokens, cost_micro_usd, unpriced_calls)
    select o.id, to_char(e.occurred_at at time zone o.time_zone, 'YYYY-MM'), coalesce(e.agent_id, ''), 0,
      coalesce(sum(e.messages) filter (where e.category <> 'system_message'), 0), sum(e.input_tokens + e.output_tokens),
      coalesce(sum(e.cost_micro_usd), 0), count(*) filter (where e.model is not null and e.cost_micro_usd is null)
    from organizations o join usage_events e on e.organization_id = o.id
      and e.occurred_at >= (date_trunc('month', now() at time zone o.time_zone) - interval '1 month') at time zone o.time_zone
    where o.id = ${ctx.organizationId} group by 1, 2, 3`.execute(ctx.db)
}
