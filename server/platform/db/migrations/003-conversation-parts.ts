// What few conversations need leaves their row: ratings, summaries, follow-ups and typing get tables of their own. Typing marks last for
// seconds, and are not moved.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const COLUMNS = [
  ...['rating_score', 'rating_comment', 'rated_at', 'rated_through', 'rating_ask_at', 'rating_question_id'],
  ...['rating_thanks_id', 'rating_asked_through', 'summary', 'summary_through', 'stretch_summary', 'stretch_through'],
  ...['customer_typing_at', 'operator_typing_at', 'follow_up_at', 'follow_up_step'],
]

const KEYS = `organization_id text not null references organizations(id) on delete cascade,
    conversation_id text not null`
const CONSTRAINTS = `primary key (organization_id, conversation_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade`

const tables = [
  `create table conversation_ratings (
    ${KEYS},
    score smallint check ((score >= 1) and (score <= 5)),
    comment text,
    rated_at timestamptz,
    rated_through bigint not null default 0,
    ask_at timestamptz,
    question_id text,
    thanks_id text,
    asked_through bigint not null default 0,
    ${CONSTRAINTS}
  )`,
  `create table conversation_summaries (
    ${KEYS},
    summary text,
    summary_through bigint not null default 0,
    stretch_summary text,
    stretch_through bigint not null default 0,
    ${CONSTRAINTS}
  )`,
  `create table conversation_follow_ups (
    ${KEYS},
    due_at timestamptz,
    step integer not null default 0,
    pause_epoch integer not null,
    answered_through bigint not null,
    ${CONSTRAINTS}
  )`,
  `create table conversation_typing (
    ${KEYS},
    customer_at timestamptz,
    operator_at timestamptz,
    ${CONSTRAINTS}
  )`,
]

/** Row security, which is forced on the owner of the tables too, would hide every row from a role that is no superuser. */
const move = [
  `alter table conversations no force row level security`,
  `alter table messages no force row level security`,
  `insert into conversation_ratings (organization_id, conversation_id, score, comment, rated_at, rated_through, ask_at, question_id,
      thanks_id, asked_through)
    select organization_id, id, rating_score, rating_comment, rated_at, rated_through, rating_ask_at, rating_question_id,
      rating_thanks_id, rating_asked_through
    from conversations
    where coalesce(rated_at, rating_ask_at) is not null or coalesce(rating_question_id, rating_thanks_id, rating_comment) is not null
      or rating_score is not null or rated_through <> 0 or rating_asked_through <> 0`,
  `insert into conversation_summaries (organization_id, conversation_id, summary, summary_through, stretch_summary, stretch_through)
    select organization_id, id, summary, summary_through, stretch_summary, stretch_through
    from conversations
    where coalesce(summary, stretch_summary) is not null or summary_through <> 0 or stretch_through <> 0`,
  `insert into conversation_follow_ups (organization_id, conversation_id, due_at, step, pause_epoch, answered_through)
    select c.organization_id, c.id, c.follow_up_at, c.follow_up_step, c.pause_epoch, greatest(c.answered_through, (
      select max(sequence) from messages m
      where m.organization_id = c.organization_id and m.conversation_id = c.id and m.author = 'customer'))
    from conversations c
    where c.follow_up_at is not null or c.follow_up_step <> 0`,
  `alter table messages force row level security`,
  `alter table conversations force row level security`,
]

/** Conversations whose agent is active are most of them, and found by `conversations_list`. */
const indexes = [
  `drop index conversations_by_status`,
  `create index conversations_by_status on conversations (organization_id, status, last_message_at desc, id desc)
    where (channel <> 'test') and (status <> 'active')`,
  `create index conversation_ratings_ask on conversation_ratings (ask_at) where ask_at is not null`,
  `create index conversation_follow_ups_due on conversation_follow_ups (due_at) where due_at is not null`,
]

/** The condition keeps what it says of conversations; whether there is a question is looked up by the function. */
const trigger = [
  `create or replace function take_rating_question_back() returns trigger language plpgsql as $$
  begin
    update conversation_ratings set ask_at = null
      where organization_id = new.organization_id and conversation_id = new.id and ask_at is not null;
    update outbox o set error = 'rating_taken_back', updated_at = now(),
      status = case when o.status = 'sending' then 'sending' when o.may_have_arrived then 'unknown' else 'failed' end,
      owner = case when o.status = 'sending' then o.owner end, lease_until = case when o.status = 'sending' then o.lease_until end
    from conversation_ratings r
    where r.organization_id = new.organization_id and r.conversation_id = new.id
      and o.organization_id = r.organization_id and o.conversation_id = r.conversation_id and o.message_id = r.question_id
      and o.status in ('queued', 'claimed', 'sending');
    return new;
  end $$`,
  `do $$ declare made text := pg_get_triggerdef(oid) from pg_trigger
      where tgname = 'take_rating_question_back' and tgrelid = 'conversations'::regclass;
    columns constant text := ' AND ((old.rating_ask_at IS NOT NULL) OR (old.rating_question_id IS NOT NULL))';
  begin
    if position(columns in made) = 0 then raise exception 'The trigger take_rating_question_back is not the expected one: %', made; end if;
    drop trigger take_rating_question_back on conversations;
    execute replace(made, columns, '');
  end $$`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...tables,
    ...move,
    ...indexes,
    ...trigger,
    `alter table conversations ${COLUMNS.map((column) => `drop column ${column}`).join(', ')}`,
  ])
}
