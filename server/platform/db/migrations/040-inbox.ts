// Columns that the inbox is filtered, sorted and searched by: place, assignee, tags, waiting since, words.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const columns = [
  `alter table conversations
    add column place text not null default 'inbox' check (place in ('inbox', 'archived', 'deleted')),
    add column placed_at timestamptz,
    add column assignee_id text references users(id) on delete set null,
    add column waiting_since timestamptz`,
  `create table conversation_tags (
    organization_id text not null references organizations(id) on delete cascade, conversation_id text not null, tag text not null,
    primary key (organization_id, conversation_id, tag),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
]

/** Recomputes the longest wait from the two columns that determine it, for every kind of answer and for withdrawn answers. */
const waiting = [
  `create function conversation_waiting() returns trigger language plpgsql as $$
  begin
    new.waiting_since := case when new.status <> 'ended' then coalesce(
      (select min(created_at) from messages where organization_id = new.organization_id and conversation_id = new.id
        and author = 'customer' and sequence > new.answered_through),
      case when new.needs_person then coalesce(old.waiting_since, now()) end,
      case when old.status = 'ended' then new.waiting_since end) end;
    return new;
  end $$`,
  `create trigger conversation_waiting before update of answered_through, needs_person, status on conversations for each row
    when (new.channel <> 'test' and (old.answered_through <> new.answered_through or old.needs_person <> new.needs_person
      or (old.status = 'ended') <> (new.status = 'ended')))
    execute function conversation_waiting()`,
]

/** An owner that is no superuser sees no row of a table whose security is forced upon it. */
const unforced = (change: string) => [
  `alter table conversations no force row level security`,
  `alter table messages no force row level security`,
  change,
  `alter table conversations force row level security`,
  `alter table messages force row level security`,
]

const waitingSoFar = `update conversations c set waiting_since = coalesce(
    (select min(m.created_at) from messages m where m.organization_id = c.organization_id and m.conversation_id = c.id
      and m.author = 'customer' and m.sequence > c.answered_through),
    case when c.needs_person then c.last_message_at end)
  where c.channel <> 'test' and c.status <> 'ended'`

const newest = 'last_message_at desc, id desc'
const indexes = [
  `drop index conversations_list`,
  `create index conversations_list on conversations(organization_id, place, ${newest}) where channel <> 'test'`,
  `create index conversations_by_status on conversations(organization_id, status, ${newest}) where channel <> 'test'`,
  `create index conversations_by_agent on conversations(organization_id, agent_id, ${newest}) where channel <> 'test'`,
  `create index conversations_by_channel on conversations(organization_id, channel, ${newest}) where channel <> 'test'`,
  `create index conversations_assigned on conversations(organization_id, assignee_id, ${newest}) where assignee_id is not null`,
  `create index conversations_unread on conversations(organization_id, ${newest}) where unread_count > 0 and channel <> 'test'`,
  `create index conversations_waiting on conversations(organization_id, waiting_since, id) where waiting_since is not null`,
  `create index conversations_customer on conversations(organization_id, customer_id) where customer_id is not null`,
  `create index conversations_deleted on conversations(placed_at) where place = 'deleted'`,
  `create index conversation_tags_tag on conversation_tags(organization_id, tag, conversation_id)`,
  `create index outbox_problems on outbox(organization_id, conversation_id)
    where status in ('failed', 'unknown') and error is distinct from 'paused'`,
]

/**
 * The organization is a word of each message, so that the words of others are excluded inside the index. The index buffer is small: the
 * statement that fills it also flushes it, and an answer must not wait for long.
 */
const words = [
  `create index messages_words on messages using gin (
    (array_to_tsvector(array['@' || organization_id]) || to_tsvector('russian', text)))
    with (fastupdate = on, gin_pending_list_limit = 256) where author <> 'system' and status <> 'streaming'`,
  `create index customers_words on customers using gin (
    (array_to_tsvector(array['@' || organization_id]) || to_tsvector('simple', name || ' ' || coalesce(username, ''))))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...columns, ...unforced(waitingSoFar), ...waiting, ...indexes, ...words])
}
