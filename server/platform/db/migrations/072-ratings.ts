// Asks customers of messengers and of the HTTP channel for a rating when a conversation is ended. Which endings qualify is decided where
// they are made (see ratings.store.ts); a trigger withdraws the question, whichever statement lets the conversation go on or deletes it. A
// rating is no message that waits for an answer.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const columns = `alter table conversations add column rating_ask_at timestamptz, add column rating_question_id text,
  add column rating_thanks_id text, add column rating_asked_through bigint not null default 0`

const index = `create index conversations_rating_ask on conversations(rating_ask_at) where rating_ask_at is not null`

/**
 * A question that was not sent is withheld, as by a pause; one that is being sent is marked, so that it is not retried (see
 * `recordOutcomes`).
 */
const takingBack = [
  `create function take_rating_question_back() returns trigger language plpgsql as $body$
  begin
    new.rating_ask_at := null;
    if old.rating_question_id is not null then
      update outbox set error = 'rating_taken_back', updated_at = now(),
        status = case when status = 'sending' then 'sending' when may_have_arrived then 'unknown' else 'failed' end,
        owner = case when status = 'sending' then owner end, lease_until = case when status = 'sending' then lease_until end
      where organization_id = new.organization_id and conversation_id = new.id and message_id = old.rating_question_id
        and status in ('queued', 'claimed', 'sending');
    end if;
    return new;
  end $body$`,
  `create trigger take_rating_question_back before update of status, place on conversations for each row
    when (new.channel not in ('test', 'webchat') and (old.rating_ask_at is not null or old.rating_question_id is not null)
      and ((old.status = 'ended' and new.status <> 'ended') or (old.place <> 'deleted' and new.place = 'deleted')))
    execute function take_rating_question_back()`,
]

/** As before, without ratings. */
const waiting = `create or replace function conversation_waiting() returns trigger language plpgsql as $$
  begin
    new.waiting_since := case when new.status <> 'ended' then coalesce(
      (select min(created_at) from messages where organization_id = new.organization_id and conversation_id = new.id
        and author = 'customer' and sequence > new.answered_through and reason is distinct from 'rating'),
      case when new.needs_person then coalesce(old.waiting_since, now()) end,
      case when old.status = 'ended' then new.waiting_since end) end;
    return new;
  end $$`

/** As before, but a withdrawn question raises no alert: it is not missed. */
const alerts = [
  `drop trigger alert_delivery on outbox`,
  `create trigger alert_delivery after update of status on outbox for each row
    when (new.status in ('failed', 'unknown') and new.status <> old.status
      and new.error is distinct from 'paused' and new.error is distinct from 'rating_taken_back')
    execute function alert_delivery()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [columns, index, ...takingBack, waiting, ...alerts])
}
