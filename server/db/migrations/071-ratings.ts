// Asking customers of messengers and of the HTTP channel what they thought of the help, when a conversation is ended. A trigger notes when
// that is to be asked, whichever statement ends the conversation, and takes it back when the conversation goes on.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const columns = `alter table conversations add column rating_ask_at timestamptz, add column rating_asked_at timestamptz,
  add column rating_asked_through bigint not null default 0, add column rating_comment_until timestamptz`

const index = `create index conversations_rating_ask on conversations(rating_ask_at) where rating_ask_at is not null`

/**
 * Asked in a while: an end can be taken back until then. Of what is shown as one, only where something was said last. Nobody is asked about
 * what they have been asked about already, or in which nobody has answered them.
 */
const trigger = [
  `create function conversation_rating() returns trigger language plpgsql as $body$
  begin
    new.rating_ask_at := null;
    new.rating_asked_at := null;
    new.rating_comment_until := null;
    if new.status = 'ended' and new.place <> 'deleted'
      and exists (select from agents a join agent_versions v on v.organization_id = a.organization_id and v.agent_id = a.id
          and v.number = a.live_version
        where a.organization_id = new.organization_id and a.id = new.agent_id and v.settings #>> '{ratings,isOn}' = 'true')
      and exists (select from messages m where m.organization_id = new.organization_id and m.conversation_id = new.id
        and m.author = 'customer' and m.sequence > greatest(new.rated_through, new.rating_asked_through))
      and exists (select from messages m where m.organization_id = new.organization_id and m.conversation_id = new.id
        and m.author in ('agent', 'operator') and m.sequence > greatest(new.rated_through, new.rating_asked_through))
      and not exists (select from conversations o where o.organization_id = new.organization_id and o.thread_id = new.thread_id
        and (o.last_message_at, o.id) > (new.last_message_at, new.id)) then
      new.rating_ask_at := now() + interval '15 seconds';
    end if;
    return new;
  end $body$`,
  `create trigger conversation_rating before update of status on conversations for each row
    when (new.channel not in ('test', 'webchat') and (old.status = 'ended') <> (new.status = 'ended'))
    execute function conversation_rating()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [columns, index, ...trigger])
}
