// Alerts that call for people of the team. Triggers write an alert in the transaction of its cause and cost other transactions only a look
// at the current row; delivery of alerts is decided later, from the rows.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const tables = [
  `create table alert_settings (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade, settings jsonb not null,
    primary key (organization_id, user_id))`,
  `create index alert_settings_user on alert_settings(user_id)`,
  `create table alerts (
    id text primary key default replace(gen_random_uuid()::text, '-', ''),
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    kind text not null check (kind in ('handoff', 'mine', 'mention', 'delivery', 'connection', 'allowance')),
    subject text not null, conversation_id text, connection_id text references channel_connections(id) on delete cascade,
    planned_at timestamptz, seen_at timestamptz, created_at timestamptz not null default now(), unique (organization_id, id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
  `create unique index alerts_unseen on alerts(organization_id, user_id, kind, subject) where seen_at is null`,
  `create index alerts_unplanned on alerts(created_at) where planned_at is null`,
  `create index alerts_open on alerts(kind) where seen_at is null`,
  `create index alerts_conversation on alerts(organization_id, conversation_id) where conversation_id is not null`,
  `create index alerts_connection on alerts(connection_id) where connection_id is not null`,
  `create index alerts_user on alerts(user_id)`,
  `create index alerts_age on alerts(created_at)`,
  `create table alert_sends (
    organization_id text not null references organizations(id) on delete cascade, alert_id text not null, way text not null,
    status text not null default 'waiting' check (status in ('waiting', 'sending', 'sent', 'failed', 'dropped')),
    attempts integer not null default 0, not_before timestamptz not null,
    primary key (alert_id, way),
    foreign key (organization_id, alert_id) references alerts(organization_id, id) on delete cascade)`,
  `create index alert_sends_organization on alert_sends(organization_id, alert_id)`,
  `create index alert_sends_due on alert_sends(not_before) where status = 'waiting'`,
]

type Raised = { kind: string; about: string; column: 'conversation_id' | 'connection_id'; of?: string }

/**
 * One alert for each member, or only those selected by `of`, until it was seen. Ordered by member, so that two transactions lock in one
 * order.
 */
const raise = ({ kind, about, column, of = 'true' }: Raised) => `
    insert into alerts (organization_id, user_id, kind, subject, ${column})
    select new.organization_id, m.user_id, '${kind}', ${about}, ${about} from members m
    where m.organization_id = new.organization_id and ${of}
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;`

/** The assignee; everyone when there is none, or they have left. */
const assignedOrAll = (assignee: string) => `(m.user_id = ${assignee} or not exists (
      select from members p where p.organization_id = new.organization_id and p.user_id = ${assignee}))`

const conversations = [
  `create function alert_conversation() returns trigger language plpgsql as $body$
  begin
    if new.needs_person and not old.needs_person then
      ${raise({ kind: 'handoff', about: 'new.id', column: 'conversation_id', of: assignedOrAll('new.assignee_id') })}
    else
      ${raise({ kind: 'mine', about: 'new.id', column: 'conversation_id', of: 'm.user_id = new.assignee_id' })}
    end if;
    return null;
  end $body$`,
  `create trigger alert_conversation after update on conversations for each row
    when (new.channel <> 'test' and new.place <> 'deleted' and ((new.needs_person and not old.needs_person)
      or (new.assignee_id is not null and new.last_message_author = 'customer' and new.unread_count > old.unread_count)))
    execute function alert_conversation()`,
]

const parts = [
  `create function alert_delivery() returns trigger language plpgsql as $body$
  declare assignee text := (select assignee_id from conversations
    where organization_id = new.organization_id and id = new.conversation_id);
  begin
    ${raise({ kind: 'delivery', about: 'new.conversation_id', column: 'conversation_id', of: assignedOrAll('assignee') })}
    return null;
  end $body$`,
  `create trigger alert_delivery after update of status on outbox for each row
    when (new.status in ('failed', 'unknown') and new.status <> old.status and new.error is distinct from 'paused')
    execute function alert_delivery()`,
]

const mentions = [
  `create function alert_mention() returns trigger language plpgsql as $body$
  begin
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select n.organization_id, n.user_id, 'mention', n.conversation_id, n.conversation_id from new_rows n
    join members m on m.organization_id = n.organization_id and m.user_id = n.user_id
    order by n.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    return null;
  end $body$`,
  `create trigger alert_mention after insert on note_mentions referencing new table as new_rows
    for each statement execute function alert_mention()`,
]

/** A connection that goes down again within the hour alerts again those who saw the alert, and no message is sent a second time. */
const connections = [
  `create function alert_connection() returns trigger language plpgsql as $body$
  begin
    update alerts set seen_at = null where organization_id = new.organization_id and connection_id = new.id
      and created_at > now() - interval '1 hour' and seen_at is not null;
    ${raise({ kind: 'connection', about: 'new.id', column: 'connection_id' })}
    return null;
  end $body$`,
  `create trigger alert_connection after update of status on channel_connections for each row
    when (new.disconnected_at is null and old.status = 'connected' and (new.status = 'error' or new.is_frozen))
    execute function alert_connection()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [...tables, ...conversations, ...parts, ...mentions, ...connections])
}
