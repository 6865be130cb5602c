// What each agent has used in each month, kept as it is recorded; and messages of the month that are taken while a model writes for the
// team. What was recorded since the beginning of the last month is summed here once.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const months = [
  `create table usage_months (
    organization_id text not null references organizations(id) on delete cascade, month text not null, agent_id text not null,
    shard integer not null, messages bigint not null default 0, tokens bigint not null default 0,
    cost_micro_usd bigint not null default 0, unpriced_calls bigint not null default 0,
    primary key (organization_id, month, agent_id, shard))`,
  `insert into usage_months (organization_id, month, agent_id, shard, messages, tokens, cost_micro_usd, unpriced_calls)
    select o.id, to_char(e.occurred_at at time zone o.time_zone, 'YYYY-MM'), coalesce(e.agent_id, ''), 0,
      coalesce(sum(e.messages) filter (where e.category <> 'system_message'), 0), sum(e.input_tokens + e.output_tokens),
      coalesce(sum(e.cost_micro_usd), 0), count(*) filter (where e.model is not null and e.cost_micro_usd is null)
    from organizations o join usage_events e on e.organization_id = o.id
      and e.occurred_at >= (date_trunc('month', now() at time zone o.time_zone) - interval '1 month') at time zone o.time_zone
    group by 1, 2, 3`,
]

const holds = [
  `create table quota_holds (
    id text primary key, organization_id text not null references organizations(id) on delete cascade,
    period text not null, expires_at timestamptz not null)`,
  `create index quota_holds_organization on quota_holds(organization_id)`,
  `create index quota_holds_expiry on quota_holds(expires_at)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...months, ...holds])
}
