// SQL of the days of conversations: on which messages were written, and on which they began.
import { sql } from 'kysely'
import type { OrgStoreContext, StoreContext } from '#server/platform/db/database.ts'
import { SUM_NAMES, SUMS } from './measures.store.ts'

const names = sql.join(SUM_NAMES.map((name) => sql.ref(name)))
const sums = sql.join(SUM_NAMES.map((name) => SUMS[name]))
const added = sql.join(
  SUM_NAMES.map((name) => sql`${sql.ref(name)} = ${sql.ref(`begun_days.${name}`)} + ${sql.ref(`excluded.${name}`)}`),
)

/**
 * Conversations in which nothing was written since before yesterday come to rest: their last day becomes a row of `message_days`, and what is
 * measured of them is added to the sums of the day on which they began. Those that are being written in are left for the next time. A trigger
 * wakes a conversation whose facts change.
 *
 * @returns how many, at most `most`
 */
export async function restConversations({ db }: StoreContext, now: Date, most: number): Promise<number> {
  const { rows } = await sql<{ rested: number }>`
    with f as (
      select f.* from organizations o cross join lateral (
        select * from conversation_facts f
        where f.organization_id = o.id and f.summed_day is null and not f.is_deleted
          and coalesce(f.last_day, f.previous_day) < (${now}::timestamptz at time zone f.time_zone)::date - 1
        limit ${most} for no key update skip locked) f
      limit ${most}
    ), kept as (
      insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer,
        agent, operator)
      select organization_id, conversation_id, last_day, previous_day, agent_id, assignee_id, channel, is_deleted, day_customer, day_agent,
        day_operator
      from f where last_day is not null
    ), summed as (
      insert into begun_days (organization_id, day, agent_id, channel, assignee_id, ${names}, first_response_times, resolution_times)
      select organization_id, (begun_at at time zone time_zone)::date as day, agent_id, channel, assignee_id, ${sums},
        coalesce(array_agg(first_response_ms) filter (where first_response_ms is not null), '{}'),
        coalesce(array_agg(resolution_ms) filter (where resolution_ms is not null), '{}')
      from f group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (organization_id, day, agent_id, channel, assignee_id) do update set ${added},
        first_response_times = begun_days.first_response_times || excluded.first_response_times,
        resolution_times = begun_days.resolution_times || excluded.resolution_times
    ), rested as (
      update conversation_facts r set summed_day = (f.begun_at at time zone f.time_zone)::date, last_day = null,
        previous_day = coalesce(f.last_day, f.previous_day), day_customer = 0, day_agent = 0, day_operator = 0
      from f where r.organization_id = f.organization_id and r.conversation_id = f.conversation_id
      returning r.conversation_id
    )
    select count(*)::float8 as rested from rested`.execute(db)
  return rows[0]?.rested ?? 0
}

/** Days of `message_days` are added to the sums of their day. A trigger takes one that changes out again. @returns how many, at most `most` */
export async function sumUpDays({ db }: StoreContext, most: number): Promise<number> {
  const { rows } = await sql<{ summed: number }>`
    with d as (
      select * from message_days where not is_summed and not is_deleted limit ${most} for no key update skip locked
    ), summed as (
      insert into written_days (organization_id, day, agent_id, channel, assignee_id, customer, agent, operator, conversations, previous_days)
      select organization_id, day, agent_id, channel, assignee_id, sum(customer), sum(agent), sum(operator), count(*),
        coalesce(array_agg(previous_day) filter (where previous_day is not null), '{}')
      from d group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5
      on conflict (organization_id, day, agent_id, channel, assignee_id) do update set customer = written_days.customer + excluded.customer,
        agent = written_days.agent + excluded.agent, operator = written_days.operator + excluded.operator,
        conversations = written_days.conversations + excluded.conversations,
        previous_days = written_days.previous_days || excluded.previous_days
    ), noted as (
      update message_days m set is_summed = true from d
      where m.organization_id = d.organization_id and m.conversation_id = d.conversation_id and m.day = d.day
      returning m.day
    )
    select count(*)::float8 as summed from noted`.execute(db)
  return rows[0]?.summed ?? 0
}

/** Counts messages by day again, after the organization's time zone has changed. No conversation rests then: the job sums them up again. */
export async function recountDays(ctx: OrgStoreContext): Promise<void> {
  await sql`delete from written_days where organization_id = ${ctx.organizationId}`.execute(ctx.db)
  await sql`delete from begun_days where organization_id = ${ctx.organizationId}`.execute(ctx.db)
  await sql`delete from message_days where organization_id = ${ctx.organizationId}`.execute(ctx.db)
  await sql`update conversation_facts f set time_zone = o.time_zone, previous_day = null, summed_day = null from organizations o
    where o.id = ${ctx.organizationId} and f.organization_id = o.id and f.time_zone is not null and f.last_day is null`.execute(
    ctx.db,
  )
  await sql`with counted as (
      select f.organization_id, f.conversation_id, o.time_zone, (m.created_at at time zone o.time_zone)::date as day, f.agent_id, f.assignee_id,
        f.channel, f.is_deleted,
        count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent,
        count(*) filter (where m.author = 'operator') as operator
      from organizations o join conversation_facts f on f.organization_id = o.id
        join messages m on m.organization_id = f.organization_id and m.conversation_id = f.conversation_id
          and m.author <> 'system' and m.status in ('complete', 'stopped')
      where o.id = ${ctx.organizationId} group by 1, 2, 3, 4, f.agent_id, f.assignee_id, f.channel, f.is_deleted
    ), days as (
      select counted.*, lag(day) over conversation as previous_day, lead(day) over conversation as next_day from counted
      window conversation as (partition by conversation_id order by day)
    ), earlier as (
      insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer,
        agent, operator)
      select organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent, operator
      from days where next_day is not null
    )
    update conversation_facts f set time_zone = d.time_zone, last_day = d.day, previous_day = d.previous_day, day_customer = d.customer,
      day_agent = d.agent, day_operator = d.operator
    from days d
    where d.next_day is null and f.organization_id = d.organization_id and f.conversation_id = d.conversation_id`.execute(
    ctx.db,
  )
}
