// SQL of quotas: how much of a limited period is used or reserved. recordUsage keeps what is used; a trigger of the table `turns` releases
// the reservation of an ended turn; a reservation for a text of the team is a row until it is released.
import { sql } from 'kysely'
import { reserveForTurn } from '#server/domain/messaging/turns/turn-records.store.ts'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { type AgentSettings, agentSettings } from '#shared/agents/agent-settings.ts'
import type { Id } from '#shared/ids.ts'
import type { AtLimit } from '#shared/organizations/organizations.ts'

/** The state of one period; see QuotasTable. */
export type Quota = {
  period: string
  used: number
  reserved: number
  costMicroUsd: number
  unpricedCalls: number
  isWarned: boolean
}

/** A day of an agent with the limits by which it is measured. */
export type LimitedDay = { agentId: Id<'agents'>; day: string; answers: number; spam: AgentSettings['spam'] }

/** What a turn reserves in limited periods: the organization's month, the agent's day. Null: nothing. */
export type Reservation = { month: string | null; day: string | null }
type RunningTurn = { turnId: Id<'turns'>; epoch: number }

/** Messages of an event that a period counts: the system's own cost nothing, and an agent's day is about its customers. */
export const countedMessages = sql<number>`case
  when e.category = 'system_message' then 0
  when q.period like '____-__-__ %' and e.category not in ('agent_response', 'follow_up') then 0
  else e.messages end`

const quotaColumns = sql`period, used::float8, reserved, cost_micro_usd::float8 as "costMicroUsd",
  unpriced_calls::float8 as "unpricedCalls", is_warned as "isWarned"`

/**
 * Locks periods until the transaction ends. Periods that were never opened are missing.
 * @returns undefined when the turn is not ours any more
 */
export async function lockQuotas(
  ctx: OrgStoreContext,
  turn: RunningTurn,
  periods: string[],
): Promise<Quota[] | undefined> {
  // The turn first: a transaction that ends a turn has locked it by the time its reservation is released.
  const held = await sql`select id from turns where id = ${turn.turnId} and organization_id = ${ctx.organizationId}
    and epoch = ${turn.epoch}::int and status = 'running' for update`.execute(ctx.db)
  if (held.rows.length === 0) return undefined
  return lockPeriods(ctx, periods)
}

/**
 * Starts counting periods, from what was recorded so far. Alone in its transaction, READ COMMITTED: it waits for all writers of the
 * organization, so that their records are either summed here or added by themselves. Deletes months long over. Safe to repeat, and
 * concurrently: the later ones find the periods and touch no rows that others have locked.
 */
export async function openQuotas(ctx: OrgStoreContext, periods: string[]): Promise<void> {
  const known = await sql`select period from quotas
    where organization_id = ${ctx.organizationId} and period = any (${periods}::text[])`.execute(ctx.db)
  if (known.rows.length === periods.length) return
  await sql`select id from organizations where id = ${ctx.organizationId} for update`.execute(ctx.db)
  await sql`insert into quotas (organization_id, period, used, cost_micro_usd, unpriced_calls)
    select ${ctx.organizationId}, q.period, ${sums}
    from unnest(${periods}::text[]) as q (period) cross join organizations o ${eventsOfPeriod}
    where o.id = ${ctx.organizationId} and not exists (
      select from quotas known where known.organization_id = o.id and known.period = q.period)
    group by q.period`.execute(ctx.db)
  // Periods that are over are not read any more; an open reservation of a turn keeps its period.
  await sql`delete from quotas q using organizations o
    where q.organization_id = ${ctx.organizationId} and o.id = q.organization_id and q.reserved = 0
      and left(q.period, 7) < to_char(now() at time zone o.time_zone - interval '1 month', 'YYYY-MM')
      and q.period <> all (${periods}::text[])`.execute(ctx.db)
}

/** Counts all periods again, after the clock by which they begin has changed. */
export async function recountQuotas(ctx: OrgStoreContext): Promise<void> {
  await sql`update quotas set used = counted.used, cost_micro_usd = counted.cost, unpriced_calls = counted.unpriced
    from (
      select q.period, ${sums}
      from quotas q join organizations o on o.id = q.organization_id ${eventsOfPeriod}
      where q.organization_id = ${ctx.organizationId}
      group by q.period
    ) counted
    where quotas.organization_id = ${ctx.organizationId} and quotas.period = counted.period`.execute(ctx.db)
}

const sums = sql`coalesce(sum(${countedMessages}), 0) as used, coalesce(sum(e.cost_micro_usd), 0) as cost,
  count(*) filter (where e.model is not null and e.cost_micro_usd is null) as unpriced`

/** Joins the events `e` of the period `q` by the clock of the organization `o`. */
const eventsOfPeriod = sql`cross join lateral (
    select split_part(q.period, ' ', 1) as span, nullif(split_part(q.period, ' ', 2), '') as agent_id
  ) named cross join lateral (
    select rpad(named.span, 10, '-01')::timestamp as first_day,
      case length(named.span) when 7 then interval '1 month' else interval '1 day' end as length
  ) calendar left join usage_events e on e.organization_id = o.id and (named.agent_id is null or e.agent_id = named.agent_id)
    and e.occurred_at >= calendar.first_day at time zone o.time_zone
    and e.occurred_at < (calendar.first_day + calendar.length) at time zone o.time_zone`

/** Periods without a lock; those that were never opened are missing. */
export async function listQuotas(ctx: OrgStoreContext, periods: string[]): Promise<Quota[]> {
  const result = await sql<Quota>`select ${quotaColumns} from quotas
    where organization_id = ${ctx.organizationId} and period = any (${periods}::text[])`.execute(ctx.db)
  return result.rows
}

/** The organization's limits in a month. `allowance`, `monthlySpendMicroUsd`: null when unlimited. */
export type MonthLimits = {
  allowance: number | null
  atLimit: AtLimit
  monthlySpendMicroUsd: number | null
  timeZone: string
}

/** The current limits. */
export async function findMonthLimits(ctx: OrgStoreContext): Promise<MonthLimits> {
  const result = await sql<MonthLimits>`
    select coalesce(o.monthly_limit, p.monthly_messages)::float8 as allowance, o.at_limit as "atLimit", o.time_zone as "timeZone",
      o.monthly_spend_limit_micro_usd::float8 as "monthlySpendMicroUsd"
    from organizations o left join plans p on p.slug = o.plan where o.id = ${ctx.organizationId}`.execute(ctx.db)
  const [limits] = result.rows
  if (!limits) throw new Error('The organization is gone.')
  return limits
}

/** Takes one answer of each period for a turn, which keeps it until it ends. The turn and its periods must be held. */
export async function reserve(ctx: OrgStoreContext, turn: RunningTurn, { month, day }: Reservation): Promise<void> {
  await sql`with turn as (
      ${reserveForTurn(ctx, turn.turnId, { month, day })}
    )
    update quotas set reserved = reserved + 1
    where organization_id = ${ctx.organizationId} and period in (${month}, ${day})`.execute(ctx.db)
}

/** Locks periods until the transaction ends, READ COMMITTED. Those that were never opened are missing. */
export async function lockPeriods(ctx: OrgStoreContext, periods: string[]): Promise<Quota[]> {
  const result = await sql<Quota>`
    select ${quotaColumns} from quotas where organization_id = ${ctx.organizationId} and period = any (${periods}::text[])
    order by period for update`.execute(ctx.db)
  return result.rows
}

/** Reserves one message of a period until it is released, or until `expiresAt`. The period must be locked. @returns the id to release */
export async function hold(ctx: OrgStoreContext, period: string, expiresAt: Date): Promise<string> {
  const id = newId()
  await sql`update quotas set reserved = reserved + 1
    where organization_id = ${ctx.organizationId} and period = ${period}`.execute(ctx.db)
  await sql`insert into quota_reservations (id, organization_id, period, expires_at)
    values (${id}, ${ctx.organizationId}, ${period}, ${expiresAt})`.execute(ctx.db)
  return id
}

/** Releases a reservation. Safe to repeat. */
export async function giveBack(ctx: OrgStoreContext, holdId: string): Promise<void> {
  await sql`with given as (
      delete from quota_reservations where id = ${holdId} and organization_id = ${ctx.organizationId} returning organization_id, period
    )
    update quotas q set reserved = q.reserved - 1 from given
    where q.organization_id = given.organization_id and q.period = given.period`.execute(ctx.db)
}

/** Releases expired reservations of all organizations. */
export async function giveBackExpired(ctx: StoreContext, now: Date): Promise<void> {
  const found = await ctx.db
    .selectFrom('quota_reservations')
    .where('expires_at', '<', now)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  if (!found) return // the statement below is announced as a commit whether it finds something or not
  await sql`with given as (
      delete from quota_reservations where expires_at < ${now} returning organization_id, period
    ), counted as (
      select organization_id, period, count(*)::int as holds from given group by 1, 2
    )
    update quotas q set reserved = q.reserved - counted.holds from counted
    where q.organization_id = counted.organization_id and q.period = counted.period`.execute(ctx.db)
}

/** Records that the team was notified of a limit that is near. */
export async function markWarned(ctx: OrgStoreContext, period: string): Promise<void> {
  await sql`update quotas set is_warned = true
    where organization_id = ${ctx.organizationId} and period = ${period}`.execute(ctx.db)
}

/** Days of agents that are limited, the newest first, with the settings that answer customers. */
export async function listLimitedDays(ctx: OrgStoreContext): Promise<LimitedDay[]> {
  const quotas = await ctx.db
    .selectFrom('quotas')
    .where('organization_id', '=', ctx.organizationId)
    .where('period', 'like', '____-__-__ %')
    .select(['period', 'used', 'reserved'])
    .orderBy('period', 'desc')
    .execute()
  if (quotas.length === 0) return []
  const agents = await ctx.db
    .selectFrom('agents')
    .innerJoin('agent_versions', 'agent_versions.agent_id', 'agents.id')
    .where('agents.organization_id', '=', ctx.organizationId)
    .where('agents.deleted_at', 'is', null)
    .whereRef('agent_versions.number', '=', 'agents.live_version')
    .select(['agents.id', 'agent_versions.settings'])
    .execute()
  const settings = new Map(agents.map((agent) => [String(agent.id), agentSettings.parse(agent.settings)]))
  return quotas.flatMap(({ period, used, reserved }) => {
    const [day = '', agentId = ''] = period.split(' ')
    const spam = settings.get(agentId)?.spam
    return spam ? [{ agentId: agentId as Id<'agents'>, day, answers: used + reserved, spam }] : []
  })
}
