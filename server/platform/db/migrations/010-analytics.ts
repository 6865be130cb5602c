// What is measured of each conversation, kept by triggers in the transactions that change it: a row with what has become of it, and a row
// for each local day on which messages were written. See docs/internals/analytics.md.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const OUTCOME = `case
      when handoff_reason is not null then 'handed_off'
      when reopened_count > 0 then 'reopened'
      when last_word = 'agent' then 'resolved'
      else 'unanswered' end`

const tables = [
  `create table conversation_facts (
    organization_id text not null,
    conversation_id text not null,
    begun_at timestamptz not null,
    agent_id text not null,
    assignee_id text,
    channel text not null,
    is_deleted boolean not null default false,
    first_question_at timestamptz,
    first_response_ms bigint,
    last_answer_at timestamptz,
    last_word text check (last_word in ('customer', 'agent', 'operator')),
    ended_at timestamptz,
    reopened_count integer not null default 0,
    handoff_reason text,
    rating smallint check ((rating >= 1) and (rating <= 5)),
    did_not_know boolean not null default false,
    cost_micro_usd bigint not null default 0,
    unpriced_calls integer not null default 0,
    outcome text not null generated always as (${OUTCOME}) stored,
    resolution_ms bigint generated always as (round(1000 * extract(epoch from case
      when ended_at is not null then ended_at - first_question_at
      when handoff_reason is null and reopened_count = 0 and last_word = 'agent' then last_answer_at - first_question_at end))) stored,
    primary key (organization_id, conversation_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  ) with (fillfactor = 80)`,
  `create index conversation_facts_begun on conversation_facts (organization_id, begun_at, conversation_id)`,
  `create table message_days (
    organization_id text not null,
    conversation_id text not null,
    day date not null,
    previous_day date,
    agent_id text not null,
    assignee_id text,
    channel text not null,
    is_deleted boolean not null default false,
    customer integer not null default 0,
    agent integer not null default 0,
    operator integer not null default 0,
    primary key (organization_id, conversation_id, day),
    foreign key (organization_id, conversation_id) references conversation_facts(organization_id, conversation_id) on delete cascade
  ) with (fillfactor = 80)`,
  `create index message_days_day on message_days (organization_id, day)`,
]

/** The day of a moment in the time zone of the organization `o`. */
const dayOf = (at: string) => `(${at} at time zone o.time_zone)::date`
const isCounted = (row: string) => `(${row}.author <> 'system' and ${row}.status in ('complete', 'stopped'))`
const isOf = (row: string) =>
  `f.organization_id = ${row}.organization_id and f.conversation_id = ${row}.conversation_id`
/** Whose word a message is; null: a rating, or a notice that no model has written. */
const wordOf = (row: string) => `case when ${row}.author = 'agent' and ${row}.model is null then null
      when ${row}.reason = 'rating' then null else ${row}.author end`

/** Days whose messages are all gone go, and what followed them follows the days before. `of`: a query of conversations. */
const forgetEmptyDays = (of: string) => `
      delete from message_days f using (${of}) gone where ${isOf('gone')} and f.customer + f.agent + f.operator = 0;
      if found then
        update message_days f set previous_day = (select max(d.day) from message_days d
            where d.organization_id = f.organization_id and d.conversation_id = f.conversation_id and d.day < f.day)
        from (${of}) gone
        where ${isOf('gone')} and f.previous_day is not null and not exists (select from message_days d
          where d.organization_id = f.organization_id and d.conversation_id = f.conversation_id and d.day = f.previous_day);
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
  // An update first: on most days of a conversation more is written than one message.
  `create function count_message() returns trigger language plpgsql as $$
  declare
    word text := ${wordOf('new')};
    fact conversation_facts;
    today date;
  begin
    update conversation_facts f set last_word = coalesce(word, f.last_word),
      first_question_at = case when word = 'customer' then coalesce(f.first_question_at, new.created_at) else f.first_question_at end,
      first_response_ms = case when new.author <> 'customer' and f.first_response_ms is null
        then greatest(0, round(1000 * extract(epoch from new.created_at - f.first_question_at))) else f.first_response_ms end,
      last_answer_at = case when word in ('agent', 'operator') then new.created_at else f.last_answer_at end,
      handoff_reason = case when word = 'operator' then coalesce(f.handoff_reason, 'operator_reply') else f.handoff_reason end
    where ${isOf('new')} returning * into fact;
    if not found then
      return null;
    end if;
    select ${dayOf('new.created_at')} into today from organizations o where o.id = new.organization_id;
    update message_days f set customer = f.customer + (new.author = 'customer')::int, agent = f.agent + (new.author = 'agent')::int,
      operator = f.operator + (new.author = 'operator')::int
    where ${isOf('new')} and f.day = today;
    if not found then
      insert into message_days (organization_id, conversation_id, day, previous_day, agent_id, assignee_id, channel, is_deleted, customer, agent,
          operator)
        values (new.organization_id, new.conversation_id, today, (select max(f.day) from message_days f where ${isOf('new')} and f.day < today),
          fact.agent_id, fact.assignee_id, fact.channel, fact.is_deleted,
          (new.author = 'customer')::int, (new.author = 'agent')::int, (new.author = 'operator')::int);
    end if;
    return null;
  end $$`,
  `create function move_message() returns trigger language plpgsql as $$
  begin
    if ${isCounted('old')} then
      update message_days f set customer = f.customer - (old.author = 'customer')::int,
        agent = f.agent - (old.author = 'agent')::int, operator = f.operator - (old.author = 'operator')::int
      from organizations o
      where ${isOf('old')} and o.id = old.organization_id and f.day = ${dayOf('old.created_at')};
      ${forgetEmptyDays('select old.organization_id, old.conversation_id')}
    end if;
    return null;
  end $$`,
  `create function uncount_messages() returns trigger language plpgsql as $$
  begin
    update message_days f set customer = f.customer - gone.customer, agent = f.agent - gone.agent, operator = f.operator - gone.operator
    from (select m.organization_id, m.conversation_id, ${dayOf('m.created_at')} as day, count(*) filter (where m.author = 'customer') as customer,
        count(*) filter (where m.author = 'agent') as agent, count(*) filter (where m.author = 'operator') as operator
      from old_rows m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id
        join organizations o on o.id = m.organization_id
      where ${isCounted('m')} group by 1, 2, 3) gone
    where ${isOf('gone')} and f.day = gone.day;
    ${forgetEmptyDays('select distinct organization_id, conversation_id from old_rows')}
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
  `create trigger follow_rating after insert or update of score on conversation_ratings for each row execute function follow_rating()`,
  `create trigger note_ignorance after insert on knowledge_queries for each row
    when (new.has_found_little) execute function note_ignorance()`,
]

const READ = ['conversations', 'messages', 'usage_events', 'conversation_ratings', 'knowledge_queries']

/** How often a conversation was reopened was not written down before; when it ended is the time of its last message. */
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
    from (select m.organization_id, m.conversation_id, ${dayOf('m.created_at')} as day, c.agent_id, c.assignee_id, c.channel,
        c.folder = 'deleted' as is_deleted,
        count(*) filter (where m.author = 'customer') as customer, count(*) filter (where m.author = 'agent') as agent,
        count(*) filter (where m.author = 'operator') as operator
      from messages m join conversations c on c.organization_id = m.organization_id and c.id = m.conversation_id and c.channel <> 'test'
        join organizations o on o.id = m.organization_id
      where ${isCounted('m')} group by 1, 2, 3, c.agent_id, c.assignee_id, c.channel, c.folder) counted`,
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
    ...READ.map((table) => `alter table ${table} no force row level security`),
    ...facts,
    ...READ.map((table) => `alter table ${table} force row level security`),
    ...functions,
    ...triggers,
    ...alerts,
  ])
}
