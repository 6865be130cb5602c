// What is measured of each conversation, kept by triggers in the transactions that change it: a row with what has become of it and with the
// messages of its last day, and a row for each local day before. See docs/internals/analytics.md.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const OUTCOME = `case
      when handoff_reason is not null then 'handed_off'
      when reopened_count > 0 then 'reopened'
      when last_word = 'agent' then 'resolved'
      else 'unanswered' end`

/** What is added up of the conversations that rest, and what one of them adds: an expression over its facts. */
const SHARES = {
  conversations: '1',
  ...Object.fromEntries(
    ['resolved', 'handed_off', 'reopened', 'unanswered'].map((outcome) => [
      outcome,
      `(old.outcome = '${outcome}')::int`,
    ]),
  ),
  ever_reopened: '(old.reopened_count > 0)::int',
  did_not_know: 'old.did_not_know::int',
  answered: '(old.first_response_ms is not null)::int',
  settled: '(old.resolution_ms is not null)::int',
  ...Object.fromEntries(
    [1, 2, 3, 4, 5].map((score) => [`scored_${score}`, `(old.rating is not distinct from ${score})::int`]),
  ),
  cost_micro_usd: 'old.cost_micro_usd',
  unpriced_calls: 'old.unpriced_calls',
  unpriced: '(old.unpriced_calls > 0)::int',
}
const SUMS = Object.keys(SHARES)

/** Columns of a fixed width that sums read come first: a row is read up to the last column that is asked for, and past a text more slowly. */
const tables = [
  `create table conversation_facts (
    begun_at timestamptz not null,
    cost_micro_usd bigint not null default 0,
    unpriced_calls integer not null default 0,
    reopened_count integer not null default 0,
    day_customer integer not null default 0,
    day_agent integer not null default 0,
    day_operator integer not null default 0,
    is_deleted boolean not null default false,
    did_not_know boolean not null default false,
    rating smallint check ((rating >= 1) and (rating <= 5)),
    first_response_ms bigint,
    resolution_ms bigint generated always as (round(1000 * extract(epoch from case
      when ended_at is not null then ended_at - first_question_at
      when handoff_reason is null and reopened_count = 0 and last_word = 'agent' then last_answer_at - first_question_at end))) stored,
    last_day date,
    previous_day date,
    summed_day date,
    organization_id text not null,
    outcome text not null generated always as (${OUTCOME}) stored,
    conversation_id text not null,
    agent_id text not null,
    channel text not null,
    assignee_id text,
    handoff_reason text,
    first_question_at timestamptz,
    last_answer_at timestamptz,
    last_word text check (last_word in ('customer', 'agent', 'operator')),
    ended_at timestamptz,
    time_zone text,
    primary key (organization_id, conversation_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
    check (time_zone is not null or coalesce(last_day, previous_day) is null),
    check (previous_day < last_day)
  ) with (fillfactor = 80)`,
  `create index conversation_facts_begun on conversation_facts (organization_id, begun_at, conversation_id)`,
  `create index conversation_facts_awake on conversation_facts (organization_id, begun_at) where summed_day is null`,
  `create index conversation_facts_last_day on conversation_facts (organization_id, last_day) where last_day is not null`,
  `create table message_days (
    day date not null,
    customer integer not null default 0,
    agent integer not null default 0,
    operator integer not null default 0,
    is_deleted boolean not null default false,
    is_summed boolean not null default false,
    previous_day date,
    organization_id text not null,
    conversation_id text not null,
    agent_id text not null,
    channel text not null,
    assignee_id text,
    primary key (organization_id, conversation_id, day),
    foreign key (organization_id, conversation_id) references conversation_facts(organization_id, conversation_id) on delete cascade
  ) with (fillfactor = 80)`,
  `create index message_days_day on message_days (organization_id, day)`,
  `create index message_days_unsummed on message_days (organization_id, day) where not is_summed`,
  `create table written_days (
    organization_id text not null references organizations(id) on delete cascade,
    day date not null,
    agent_id text not null,
    channel text not null,
    assignee_id text,
    customer bigint not null,
    agent bigint not null,
    operator bigint not null,
    conversations bigint not null,
    previous_days date[] not null,
    unique nulls not distinct (organization_id, day, agent_id, channel, assignee_id)
  )`,
  `create table begun_days (
    organization_id text not null references organizations(id) on delete cascade,
    day date not null,
    agent_id text not null,
    channel text not null,
    assignee_id text,
    ${SUMS.map((name) => `${name} bigint not null`).join(', ')},
    first_response_times bigint[] not null,
    resolution_times bigint[] not null,
    unique nulls not distinct (organization_id, day, agent_id, channel, assignee_id)
  )`,
]

/** Few calls have no known price: a plan names their models. */
const unpriced = [
  `create index usage_events_unpriced on usage_events (organization_id, occurred_at)
    where model is not null and cost_micro_usd is null`,
]

const isCounted = (row: string) => `(${row}.author <> 'system' and ${row}.status in ('complete', 'stopped'))`
const isOf = (row: string, table = 'f') =>
  `${table}.organization_id = ${row}.organization_id and ${table}.conversation_id = ${row}.conversation_id`
/** Messages of an author: 1 or 0. */
const by = (author: string, row = 'new') => `(${row}.author = '${author}')::int`
const countBy = (author: string) => `count(*) filter (where m.author = '${author}') as ${author}`

/** Whose word a message is; null: a rating, or a notice that no model has written. */
const wordOf = (row: string) => `case when ${row}.author = 'agent' and ${row}.model is null then null
      when ${row}.reason = 'rating' then null else ${row}.author end`
const WORD = wordOf('new')

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
  `create function begin_facts() returns trigger language plpgsql as $$
  begin
    insert into conversation_facts (organization_id, conversation_id, begun_at, agent_id, assignee_id, channel, is_deleted)
      values (new.organization_id, new.id, new.created_at, new.agent_id, new.assignee_id, new.channel, new.folder = 'deleted');
    return null;
  end $$`,
  `create function follow_conversation() returns trigger language plpgsql as $$
  begin
    update conversation_facts f set agent_id = new.agent_id, assignee_id = new.assignee_id, is_deleted = new.folder = 'deleted',
      handoff_reason = coalesce(f.handoff_reason, case
        when new.status = 'paused' and new.pause_reason <> 'customer_stop' then new.pause_reason
        when new.needs_person then coalesce(new.handoff_reason, 'customer_request') end),
      reopened_count = f.reopened_count + (old.status = 'ended' and new.status <> 'ended' and new.unread_count > old.unread_count
        and coalesce(f.ended_at > now() - interval '7 days', false))::int,
      ended_at = case when new.status = 'ended' then coalesce(f.ended_at, now()) end
    where f.organization_id = new.organization_id and f.conversation_id = new.id;
    if (old.folder = 'deleted') <> (new.folder = 'deleted') or old.agent_id <> new.agent_id or old.assignee_id is distinct from new.assignee_id then
      update message_days f set is_deleted = new.folder = 'deleted', agent_id = new.agent_id, assignee_id = new.assignee_id
      where f.organization_id = new.organization_id and f.conversation_id = new.id;
    end if;
    return null;
  end $$`,
  // Almost every message is one more of the last day: one update that touches no index, and no look at the organization.
  `create function count_message() returns trigger language plpgsql as $$
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
      if today < fact.last_day or (fact.last_day is null and today <= fact.previous_day) then
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
  `create function move_message() returns trigger language plpgsql as $$
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
  `create function uncount_messages() returns trigger language plpgsql as $$
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
  `create function without(list anyarray, one anyelement) returns anyarray immutable language sql as $$
    select case when array_position(list, one) is null then list
      else list[:array_position(list, one) - 1] || list[array_position(list, one) + 1:] end $$`,
  // Facts that change, or go, are counted by themselves until they rest again.
  `create function wake_conversation() returns trigger language plpgsql as $$
  begin
    update begun_days d set ${Object.entries(SHARES)
      .map(([name, share]) => `${name} = d.${name} - ${share}`)
      .join(', ')},
      first_response_times = without(d.first_response_times, old.first_response_ms),
      resolution_times = without(d.resolution_times, old.resolution_ms)
    where d.organization_id = old.organization_id and d.day = old.summed_day and d.agent_id = old.agent_id and d.channel = old.channel
      and d.assignee_id is not distinct from old.assignee_id;
    if tg_op = 'UPDATE' then
      update conversation_facts f set summed_day = null where ${isOf('old')};
    end if;
    return null;
  end $$`,
  `create function unsum_day() returns trigger language plpgsql as $$
  begin
    update written_days d set customer = d.customer - old.customer, agent = d.agent - old.agent, operator = d.operator - old.operator,
      conversations = d.conversations - 1, previous_days = without(d.previous_days, old.previous_day)
    where d.organization_id = old.organization_id and d.day = old.day and d.agent_id = old.agent_id and d.channel = old.channel
      and d.assignee_id is not distinct from old.assignee_id;
    if tg_op = 'UPDATE' then
      update message_days d set is_summed = false where ${isOf('old', 'd')} and d.day = old.day;
    end if;
    return null;
  end $$`,
  `create function follow_rating() returns trigger language plpgsql as $$
  begin
    update conversation_facts f set rating = new.score where ${isOf('new')} and f.rating is distinct from new.score;
    return null;
  end $$`,
  `create function note_ignorance() returns trigger language plpgsql as $$
  begin
    update conversation_facts f set did_not_know = true where ${isOf('new')} and not f.did_not_know;
    return null;
  end $$`,
]

const triggers = [
  `create trigger begin_facts after insert on conversations for each row
    when (new.channel <> 'test') execute function begin_facts()`,
  `create trigger follow_conversation after update of agent_id, assignee_id, folder, status, needs_person, pause_reason on conversations for each row
    when ((new.channel <> 'test')
      and ((old.agent_id <> new.agent_id) or (old.assignee_id is distinct from new.assignee_id)
        or ((old.folder = 'deleted') <> (new.folder = 'deleted')) or (old.status <> new.status)
        or (old.needs_person <> new.needs_person) or (old.pause_reason is distinct from new.pause_reason)))
    execute function follow_conversation()`,
  `create trigger count_message after insert on messages for each row
    when (${isCounted('new')}) execute function count_message()`,
  `create trigger move_message_away after update of status, created_at on messages for each row
    when ((old.status <> new.status) or (old.created_at <> new.created_at)) execute function move_message()`,
  `create trigger move_message_here after update of status, created_at on messages for each row
    when (((old.status <> new.status) or (old.created_at <> new.created_at)) and ${isCounted('new')}) execute function count_message()`,
  `create trigger uncount_messages after delete on messages referencing old table as old_rows for each statement
    execute function uncount_messages()`,
  // Not before: a row would be locked by each update before it is known whether there is anything to do, which cost an answer a tenth.
  `create trigger wake_conversation after update on conversation_facts for each row
    when ((old.summed_day is not null) and (new.summed_day is not null)) execute function wake_conversation()`,
  `create trigger forget_conversation after delete on conversation_facts for each row
    when (old.summed_day is not null) execute function wake_conversation()`,
  `create trigger unsum_day after update on message_days for each row
    when (old.is_summed and new.is_summed) execute function unsum_day()`,
  `create trigger forget_day after delete on message_days for each row when (old.is_summed) execute function unsum_day()`,
  `create trigger follow_rating after insert or update of score on conversation_ratings for each row execute function follow_rating()`,
  `create trigger note_ignorance after insert on knowledge_queries for each row
    when (new.has_found_little) execute function note_ignorance()`,
]

const READ = ['conversations', 'messages', 'usage_events', 'conversation_ratings', 'knowledge_queries']

/** Days of before are over. How often a conversation was reopened was not written down before; when it ended is the time of its last message. */
const facts = [
  `insert into conversation_facts (organization_id, conversation_id, begun_at, agent_id, assignee_id, channel, is_deleted, first_question_at,
      first_response_ms, last_answer_at, last_word, ended_at, handoff_reason, rating, did_not_know, cost_micro_usd, unpriced_calls)
    select c.organization_id, c.id, c.created_at, c.agent_id, c.assignee_id, c.channel, c.folder = 'deleted', w.first_question_at,
      case when w.first_question_at is not null then (select greatest(0, round(1000 * extract(epoch from m.created_at - w.first_question_at)))
        from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id and m.author in ('agent', 'operator')
          and ${isCounted('m')} and m.sequence > w.first_question order by m.sequence limit 1) end,
      w.last_answer_at, w.words[1], case when c.status = 'ended' then c.last_message_at end,
      coalesce(nullif(c.handoff_reason, 'customer_stop'), case when w.has_operator then 'operator_reply' end),
      (select r.score from conversation_ratings r where r.organization_id = c.organization_id and r.conversation_id = c.id),
      exists (select from knowledge_queries q where q.organization_id = c.organization_id and q.conversation_id = c.id and q.has_found_little),
      coalesce(u.cost, 0), coalesce(u.unpriced, 0)
    from conversations c
    left join (select m.organization_id, m.conversation_id, array_agg(${wordOf('m')} order by m.sequence desc) filter (where ${wordOf('m')} is not null) as words,
        min(m.created_at) filter (where ${wordOf('m')} = 'customer') as first_question_at,
        min(m.sequence) filter (where ${wordOf('m')} = 'customer') as first_question,
        max(m.created_at) filter (where ${wordOf('m')} in ('agent', 'operator')) as last_answer_at, bool_or(m.author = 'operator') as has_operator
      from messages m where ${isCounted('m')} group by 1, 2) w on w.organization_id = c.organization_id and w.conversation_id = c.id
    left join (select e.organization_id, e.conversation_id, sum(e.cost_micro_usd) as cost,
        count(*) filter (where e.model is not null and e.cost_micro_usd is null) as unpriced
      from usage_events e where e.conversation_id is not null group by 1, 2) u on u.organization_id = c.organization_id and u.conversation_id = c.id
    where c.channel <> 'test'`,
  `insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent,
      operator)
    select organization_id, conversation_id, day, lag(day) over (partition by organization_id, conversation_id order by day), agent_id,
      assignee_id, channel, is_deleted, customer, agent, operator
    from (select m.organization_id, m.conversation_id, (m.created_at at time zone o.time_zone)::date as day, c.agent_id, c.assignee_id, c.channel,
        c.folder = 'deleted' as is_deleted,
        count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent,
        count(*) filter (where m.author = 'operator') as operator
      from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id and c.channel <> 'test'
        join organizations o on o.id = m.organization_id
      where ${isCounted('m')} group by 1, 2, 3, c.agent_id, c.assignee_id, c.channel, c.folder) counted`,
  `update conversation_facts f set time_zone = o.time_zone, previous_day = d.day
    from (select organization_id, conversation_id, max(day) as day from message_days group by 1, 2) d
      join organizations o on o.id = d.organization_id
    where f.organization_id = d.organization_id and f.conversation_id = d.conversation_id`,
]

/** People may want a summary of each week. */
const alerts = [
  `alter table alerts drop constraint alerts_kind_check`,
  `alter table alerts add constraint alerts_kind_check
    check (kind in ('handoff', 'mine', 'mention', 'delivery', 'connection', 'billing', 'agent', 'product', 'summary'))`,
]

/** Makes the tables, fills them, and has them kept from then on. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...tables,
    ...unpriced,
    ...READ.map((table) => `alter table ${table} no force row level security`),
    ...facts,
    ...READ.map((table) => `alter table ${table} force row level security`),
    ...functions,
    ...triggers,
    ...alerts,
  ])
}
