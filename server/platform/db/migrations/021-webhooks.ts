// Outgoing webhooks: where organizations want to hear of what happens, what has happened, and how its deliveries went. Events are written
// by triggers in the transactions of their causes; an organization without an endpoint pays one look at an empty index. See
// docs/internals/webhooks.md.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const tables = [
  `create table webhook_endpoints (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    url text not null,
    description text not null default '',
    types text[] not null,
    per_minute integer check (per_minute > 0),
    secret text not null,
    previous_secret text,
    previous_until timestamptz,
    state text not null default 'on' check (state in ('on', 'off', 'disabled')),
    disabled_reason text check (disabled_reason in ('failing', 'gone')),
    failures integer not null default 0,
    failing_since timestamptz,
    retry_at timestamptz,
    full_since timestamptz,
    minute_at timestamptz,
    minute_count integer not null default 0,
    last_delivered_at timestamptz,
    created_by text references users(id) on delete set null,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    check ((state = 'disabled') = (disabled_reason is not null)),
    check ((previous_secret is null) = (previous_until is null))
  )`,
  `create index webhook_endpoints_organization on webhook_endpoints (organization_id, created_at)`,
  `create index webhook_endpoints_creator on webhook_endpoints (created_by) where created_by is not null`,
  `create table webhook_events (
    id text default replace((gen_random_uuid())::text, '-', '') primary key,
    organization_id text not null references organizations(id) on delete cascade,
    type text not null,
    subject text not null,
    conversation_id text,
    endpoint_id text,
    once_key text,
    data jsonb not null,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
    foreign key (organization_id, endpoint_id) references webhook_endpoints(organization_id, id) on delete cascade
  )`,
  `create index webhook_events_endpoint on webhook_events (organization_id, endpoint_id) where endpoint_id is not null`,
  `create index webhook_events_age on webhook_events (created_at)`,
  `create index webhook_events_conversation on webhook_events (organization_id, conversation_id) where conversation_id is not null`,
  `create unique index webhook_events_once on webhook_events (organization_id, once_key) where once_key is not null`,
  `create table webhook_queues (
    organization_id text not null,
    endpoint_id text not null,
    subject text not null,
    due_at timestamptz,
    tried_at timestamptz,
    lease text,
    lease_until timestamptz,
    primary key (endpoint_id, subject),
    foreign key (organization_id, endpoint_id) references webhook_endpoints(organization_id, id) on delete cascade
  )`,
  `create index webhook_queues_due on webhook_queues (endpoint_id, due_at) where due_at is not null`,
  `create index webhook_queues_tried on webhook_queues (endpoint_id, tried_at nulls first) where due_at is not null`,
  `create index webhook_queues_leased on webhook_queues (lease_until) where lease_until is not null`,
  `create index webhook_queues_organization on webhook_queues (organization_id, endpoint_id)`,
  `create table webhook_deliveries (
    id text default replace((gen_random_uuid())::text, '-', '') primary key,
    organization_id text not null,
    endpoint_id text not null,
    event_id text not null,
    type text not null,
    subject text not null,
    sequence bigint not null generated always as identity,
    state text not null default 'waiting' check (state in ('waiting', 'delivered', 'dead')),
    tries integer not null default 0,
    first_tried_at timestamptz,
    attempts integer not null default 0,
    last_tried_at timestamptz,
    last_status integer,
    last_error text,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, endpoint_id) references webhook_endpoints(organization_id, id) on delete cascade,
    foreign key (organization_id, event_id) references webhook_events(organization_id, id) on delete cascade
  )`,
  `create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, subject, sequence) where state = 'waiting'`,
  `create index webhook_deliveries_log on webhook_deliveries (organization_id, endpoint_id, sequence)`,
  `create index webhook_deliveries_state on webhook_deliveries (organization_id, endpoint_id, state, sequence)`,
  `create index webhook_deliveries_event on webhook_deliveries (organization_id, event_id)`,
  `create table webhook_attempts (
    organization_id text not null,
    delivery_id text not null,
    number integer not null,
    status integer,
    error text,
    latency_ms integer not null,
    answer text not null default '',
    created_at timestamptz not null default now(),
    primary key (delivery_id, number),
    foreign key (organization_id, delivery_id) references webhook_deliveries(organization_id, id) on delete cascade
  )`,
  `create index webhook_attempts_organization on webhook_attempts (organization_id, delivery_id)`,
]

const MS = (at: string) => `round(1000 * extract(epoch from ${at}))::bigint`

/** A conversation as every event about one names it. */
const CONVERSATION = (
  row: string,
) => `jsonb_build_object('_id', ${row}.id, 'agentId', ${row}.agent_id, 'channel', ${row}.channel,
        'connectionId', ${row}.connection_id, 'customerId', ${row}.customer_id, 'status', ${row}.status)`
/** A look at an index of a table that is small, and empty for most: what an organization without endpoints pays. */
const UNWANTED = (row: string) =>
  `not exists (select from webhook_endpoints e where e.organization_id = ${row}.organization_id and e.state <> 'off')`

const functions = [
  `create function drop_unwanted_webhook() returns trigger language plpgsql as $$
  begin
    if new.endpoint_id is null and not exists (select from webhook_endpoints e where e.organization_id = new.organization_id
        and e.state <> 'off' and e.full_since is null and new.type = any (e.types)) then
      return null;
    end if;
    return new;
  end $$`,
  // The queues come first: who writes an event of one subject waits for the one before, so that events commit in the order of their
  // sequence.
  `create function queue_webhook() returns trigger language plpgsql as $$
  declare
    wanting text[];
  begin
    select array_agg(e.id order by e.id) into wanting from webhook_endpoints e where e.organization_id = new.organization_id
      and (e.id = new.endpoint_id
        or (new.endpoint_id is null and e.state <> 'off' and e.full_since is null and new.type = any (e.types)));
    insert into webhook_queues (organization_id, endpoint_id, subject, due_at)
      select new.organization_id, wanted.id, new.subject, now() from unnest(wanting) with ordinality as wanted (id, ordinal) order by wanted.ordinal
      on conflict (endpoint_id, subject) do update set due_at = coalesce(webhook_queues.due_at, excluded.due_at);
    insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, subject)
      select new.organization_id, wanted.id, new.id, new.type, new.subject from unnest(wanting) as wanted (id);
    return null;
  end $$`,
  `create function webhook_of_message() returns trigger language plpgsql as $$
  declare
    talk conversations;
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    select * into talk from conversations c where c.organization_id = new.organization_id and c.id = new.conversation_id;
    if talk.channel <> 'test' then
      insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, case new.author when 'customer' then 'message.incoming' else 'message.outgoing' end, talk.id, talk.id,
        jsonb_build_object('conversation', ${CONVERSATION('talk')},
          'message', jsonb_build_object('_id', new.id, 'author', new.author, 'userId', new.user_id, 'text', new.text,
            'attachments', new.attachment_count, 'createdAt', ${MS('new.created_at')})));
    end if;
    return null;
  end $$`,
  `create function webhook_of_beginning() returns trigger language plpgsql as $$
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, 'conversation.begun', new.id, new.id, jsonb_build_object('conversation', ${CONVERSATION('new')},
      'isReopened', tg_op = 'UPDATE', 'begunAt', ${MS('now()')}));
    return null;
  end $$`,
  `create function webhook_of_handoff() returns trigger language plpgsql as $$
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, 'conversation.handed_off', new.id, new.id,
      jsonb_build_object('conversation', ${CONVERSATION('new')}, 'reason', coalesce(new.handoff_reason, new.pause_reason),
        'note', new.handoff_note, 'assigneeId', new.assignee_id, 'handedOffAt', ${MS('now()')}));
    return null;
  end $$`,
  `create function webhook_of_end() returns trigger language plpgsql as $$
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, 'conversation.ended', new.id, new.id, jsonb_build_object('conversation', ${CONVERSATION('new')},
      'endedAt', ${MS('now()')}));
    return null;
  end $$`,
  `create function webhook_of_rating() returns trigger language plpgsql as $$
  declare
    talk conversations;
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    select * into talk from conversations c where c.organization_id = new.organization_id and c.id = new.conversation_id;
    if talk.channel <> 'test' then
      insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, 'conversation.rated', talk.id, talk.id, jsonb_build_object('conversation', ${CONVERSATION('talk')},
        'score', new.score, 'comment', new.comment, 'ratedAt', ${MS('coalesce(new.rated_at, now())')}));
    end if;
    return null;
  end $$`,
  `create function webhook_of_document() returns trigger language plpgsql as $$
  begin
    if ${UNWANTED('new')} then
      return null;
    end if;
    insert into webhook_events (organization_id, type, subject, conversation_id, data)
      values (new.organization_id, 'document.failed', 'document ' || new.id, null,
      jsonb_build_object('document', jsonb_build_object('_id', new.id, 'knowledgeSpaceId', new.knowledge_space_id, 'name', new.name,
        'status', new.status, 'errorReason', new.error_reason), 'failedAt', ${MS('now()')}));
    return null;
  end $$`,
]

const isWritten = (row: string) => `(${row}.author <> 'system' and ${row}.status = 'complete')`

const triggers = [
  `create trigger drop_unwanted_webhook before insert on webhook_events for each row execute function drop_unwanted_webhook()`,
  `create trigger queue_webhook after insert on webhook_events for each row execute function queue_webhook()`,
  `create trigger webhook_of_message after insert on messages for each row
    when (${isWritten('new')}) execute function webhook_of_message()`,
  `create trigger webhook_of_finished_message after update of status on messages for each row
    when ((old.status <> 'complete') and ${isWritten('new')}) execute function webhook_of_message()`,
  `create trigger webhook_of_beginning after insert on conversations for each row
    when (new.channel <> 'test') execute function webhook_of_beginning()`,
  `create trigger webhook_of_beginning_again after update of status on conversations for each row
    when ((new.channel <> 'test') and (old.status = 'ended') and (new.status <> 'ended') and (new.unread_count > old.unread_count))
    execute function webhook_of_beginning()`,
  `create trigger webhook_of_handoff after update of status, needs_person on conversations for each row
    when ((new.channel <> 'test') and (((old.status <> 'paused') and (new.status = 'paused') and (new.pause_reason is distinct from 'customer_stop'))
      or (new.needs_person and not old.needs_person)))
    execute function webhook_of_handoff()`,
  `create trigger webhook_of_end after update of status on conversations for each row
    when ((new.channel <> 'test') and (old.status <> 'ended') and (new.status = 'ended')) execute function webhook_of_end()`,
  `create trigger webhook_of_first_rating after insert on conversation_ratings for each row
    when (new.score is not null) execute function webhook_of_rating()`,
  `create trigger webhook_of_rating after update of score, comment on conversation_ratings for each row
    when ((new.score is not null) and ((old.score is distinct from new.score) or (old.comment is distinct from new.comment)))
    execute function webhook_of_rating()`,
  `create trigger webhook_of_document after update of status on documents for each row
    when ((old.status <> 'error') and (new.status = 'error')) execute function webhook_of_document()`,
]

/** Makes the tables, and has events written from then on. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...tables, ...functions, ...triggers])
}
