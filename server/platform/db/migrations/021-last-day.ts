// Messages of a conversation's last day are counted in its facts, by the update that a message makes there anyway; they become a row of
// `message_days` when the next day begins. See docs/internals/analytics.md.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const columns = [
  `alter table conversation_facts
    add column time_zone text,
    add column last_day date,
    add column previous_day date,
    add column day_customer integer not null default 0,
    add column day_agent integer not null default 0,
    add column day_operator integer not null default 0,
    add check ((last_day is null) = (time_zone is null)),
    add check (previous_day < last_day)`,
  `create index conversation_facts_last_day on conversation_facts (organization_id, last_day)`,
]

/** Few calls have no known price: a plan names their models. */
const unpriced = [
  `create index usage_events_unpriced on usage_events (organization_id, occurred_at)
    where model is not null and cost_micro_usd is null`,
]

/** The last day of each conversation moves into its facts. */
const rows = [
  `with last as (
    delete from message_days d where not exists (select from message_days later
      where later.organization_id = d.organization_id and later.conversation_id = d.conversation_id and later.day > d.day)
    returning d.*
  )
  update conversation_facts f set time_zone = o.time_zone, last_day = d.day, previous_day = d.previous_day,
    day_customer = d.customer, day_agent = d.agent, day_operator = d.operator
  from last d join organizations o on o.id = d.organization_id
  where f.organization_id = d.organization_id and f.conversation_id = d.conversation_id`,
]

const isCounted = (row: string) => `(${row}.author <> 'system' and ${row}.status in ('complete', 'stopped'))`
const isOf = (row: string, table = 'f') =>
  `${table}.organization_id = ${row}.organization_id and ${table}.conversation_id = ${row}.conversation_id`
/** Messages of an author: 1 or 0. */
const by = (author: string, row = 'new') => `(${row}.author = '${author}')::int`
const countBy = (author: string) => `count(*) filter (where m.author = '${author}') as ${author}`

/** Whose word a message is; null: a rating, or a notice that no model has written. */
const WORD =
  "case when new.author = 'agent' and new.model is null then null when new.reason = 'rating' then null else new.author end"

/** What a message changes of what has become of a conversation, whenever it was written. */
const WORDS = `last_word = coalesce(${WORD}, f.last_word),
      first_question_at = case when new.author = 'customer' and new.reason is distinct from 'rating' then coalesce(f.first_question_at, new.created_at) else f.first_question_at end,
      first_response_ms = case when new.author <> 'customer' and f.first_response_ms is null
        then greatest(0, round(1000 * extract(epoch from new.created_at - f.first_question_at))) else f.first_response_ms end,
      last_answer_at = case when ${WORD} in ('agent', 'operator') then new.created_at else f.last_answer_at end,
      handoff_reason = case when ${WORD} = 'operator' then coalesce(f.handoff_reason, 'operator_reply') else f.handoff_reason end`

const DAYS = `message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent,
        operator)`

/**
 * Days whose messages are all gone go, and what followed them follows the days before. The day before takes the place of a last day that is
 * gone. `of`: a query of conversations.
 */
const forgetEmptyDays = (of: string) => `
      delete from message_days d using (${of}) gone where ${isOf('gone', 'd')} and d.customer + d.agent + d.operator = 0;
      is_gone := found;
      with emptied as (
        select f.organization_id, f.conversation_id, (select max(d.day) from message_days d where ${isOf('f', 'd')}) as day
        from conversation_facts f join (${of}) gone on ${isOf('gone')}
        where f.last_day is not null and f.day_customer + f.day_agent + f.day_operator = 0
      ), taken as (
        delete from message_days d using emptied e where ${isOf('e', 'd')} and d.day = e.day returning d.*
      )
      update conversation_facts f set last_day = d.day, time_zone = case when d.day is not null then f.time_zone end,
        previous_day = d.previous_day, day_customer = coalesce(d.customer, 0), day_agent = coalesce(d.agent, 0),
        day_operator = coalesce(d.operator, 0)
      from emptied e left join taken d on ${isOf('e', 'd')}
      where ${isOf('e')};
      if is_gone or found then
        update message_days f set previous_day = (select max(d.day) from message_days d where ${isOf('f', 'd')} and d.day < f.day)
        from (${of}) gone
        where ${isOf('gone')} and f.previous_day is not null
          and not exists (select from message_days d where ${isOf('f', 'd')} and d.day = f.previous_day);
        update conversation_facts f set previous_day = (select max(d.day) from message_days d where ${isOf('f', 'd')})
        from (${of}) gone
        where ${isOf('gone')} and f.previous_day is not null
          and not exists (select from message_days d where ${isOf('f', 'd')} and d.day = f.previous_day);
      end if;`

const functions = [
  // Almost every message is one more of the last day: one update that touches no index, and no look at the organization.
  `create or replace function count_message() returns trigger language plpgsql as $$
  begin
    update conversation_facts f set ${WORDS},
      day_customer = f.day_customer + ${by('customer')}, day_agent = f.day_agent + ${by('agent')},
      day_operator = f.day_operator + ${by('operator')}
    where ${isOf('new')} and f.last_day = (new.created_at at time zone f.time_zone)::date;
    if found then
      return null;
    end if;
    declare
      fact conversation_facts;
      zone text;
      today date;
    begin
      select * into fact from conversation_facts f where ${isOf('new')} for update;
      if not found then
        return null;
      end if;
      select o.time_zone, (new.created_at at time zone o.time_zone)::date into zone, today from organizations o where o.id = new.organization_id;
      if today < fact.last_day then
        update message_days d set customer = d.customer + ${by('customer')}, agent = d.agent + ${by('agent')},
          operator = d.operator + ${by('operator')}
        where ${isOf('new', 'd')} and d.day = today;
        if not found then
          insert into ${DAYS}
            values (new.organization_id, new.conversation_id, today, (select max(d.day) from message_days d where ${isOf('new', 'd')} and d.day < today),
              fact.agent_id, fact.assignee_id, fact.channel, fact.is_deleted, ${by('customer')}, ${by('agent')}, ${by('operator')});
          update message_days d set previous_day = today
          where ${isOf('new', 'd')} and d.day = (select min(n.day) from message_days n where ${isOf('new', 'n')} and n.day > today);
        end if;
        update conversation_facts f set ${WORDS}, previous_day = greatest(f.previous_day, today) where ${isOf('new')};
        return null;
      end if;
      if fact.last_day < today then
        insert into ${DAYS}
          values (fact.organization_id, fact.conversation_id, fact.last_day, fact.previous_day, fact.agent_id, fact.assignee_id, fact.channel,
            fact.is_deleted, fact.day_customer, fact.day_agent, fact.day_operator);
        fact.previous_day := fact.last_day;
        fact.day_customer := 0;
        fact.day_agent := 0;
        fact.day_operator := 0;
      end if;
      update conversation_facts f set ${WORDS}, time_zone = zone, last_day = today, previous_day = fact.previous_day,
        day_customer = fact.day_customer + ${by('customer')}, day_agent = fact.day_agent + ${by('agent')},
        day_operator = fact.day_operator + ${by('operator')}
      where ${isOf('new')};
    end;
    return null;
  end $$`,
  `create or replace function move_message() returns trigger language plpgsql as $$
  declare
    is_gone boolean;
  begin
    if ${isCounted('old')} then
      update conversation_facts f set day_customer = f.day_customer - ${by('customer', 'old')},
        day_agent = f.day_agent - ${by('agent', 'old')}, day_operator = f.day_operator - ${by('operator', 'old')}
      where ${isOf('old')} and f.last_day = (old.created_at at time zone f.time_zone)::date;
      if not found then
        update message_days d set customer = d.customer - ${by('customer', 'old')}, agent = d.agent - ${by('agent', 'old')},
          operator = d.operator - ${by('operator', 'old')}
        from conversation_facts f
        where ${isOf('old')} and ${isOf('old', 'd')} and d.day = (old.created_at at time zone f.time_zone)::date;
      end if;
      ${forgetEmptyDays('select old.organization_id, old.conversation_id')}
    end if;
    return null;
  end $$`,
  `create or replace function uncount_messages() returns trigger language plpgsql as $$
  declare
    is_gone boolean;
  begin
    with gone as (
      select m.organization_id, m.conversation_id, (m.created_at at time zone f.time_zone)::date as day, ${countBy('customer')},
        ${countBy('agent')}, ${countBy('operator')}
      from old_rows m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
        join conversation_facts f on ${isOf('m')}
      where ${isCounted('m')} group by 1, 2, 3
    ), earlier as (
      update message_days d set customer = d.customer - gone.customer, agent = d.agent - gone.agent, operator = d.operator - gone.operator
      from gone where ${isOf('gone', 'd')} and d.day = gone.day
    )
    update conversation_facts f set day_customer = f.day_customer - gone.customer, day_agent = f.day_agent - gone.agent,
      day_operator = f.day_operator - gone.operator
    from gone where ${isOf('gone')} and f.last_day = gone.day;
    ${forgetEmptyDays('select distinct organization_id, conversation_id from old_rows')}
    return null;
  end $$`,
]

const READ = ['conversation_facts', 'message_days']

/** Adds the columns, fills them, and has them kept from then on. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...columns,
    ...READ.map((table) => `alter table ${table} no force row level security`),
    ...rows,
    ...READ.map((table) => `alter table ${table} force row level security`),
    ...functions,
    ...unpriced,
  ])
}
