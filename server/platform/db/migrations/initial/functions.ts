// Functions that columns, indexes and triggers call.

export const functions: string[] = [
  `create function alert_connection() returns trigger language plpgsql as $$
  begin
    update alerts set seen_at = null where organization_id = new.organization_id and connection_id = new.id
      and created_at > now() - interval '1 hour' and seen_at is not null;
    
    insert into alerts (organization_id, user_id, kind, subject, connection_id)
    select new.organization_id, m.user_id, 'connection', new.id, new.id from members m
    where m.organization_id = new.organization_id and true
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    return null;
  end $$`,
  `create function alert_conversation() returns trigger language plpgsql as $$
  begin
    if new.needs_person and not old.needs_person then
      
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select new.organization_id, m.user_id, 'handoff', new.id, new.id from members m
    where m.organization_id = new.organization_id and (m.user_id = new.assignee_id or not exists (
      select from members p where p.organization_id = new.organization_id and p.user_id = new.assignee_id))
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    else
      
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select new.organization_id, m.user_id, 'mine', new.id, new.id from members m
    where m.organization_id = new.organization_id and m.user_id = new.assignee_id
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    end if;
    return null;
  end $$`,
  `create function alert_delivery() returns trigger language plpgsql as $$
  declare assignee text := (select assignee_id from conversations
    where organization_id = new.organization_id and id = new.conversation_id);
  begin
    
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select new.organization_id, m.user_id, 'delivery', new.conversation_id, new.conversation_id from members m
    where m.organization_id = new.organization_id and (m.user_id = assignee or not exists (
      select from members p where p.organization_id = new.organization_id and p.user_id = assignee))
    order by m.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    return null;
  end $$`,
  `create function alert_mention() returns trigger language plpgsql as $$
  begin
    insert into alerts (organization_id, user_id, kind, subject, conversation_id)
    select n.organization_id, n.user_id, 'mention', n.conversation_id, n.conversation_id from new_rows n
    join members m on m.organization_id = n.organization_id and m.user_id = n.user_id
    order by n.user_id
    on conflict (organization_id, user_id, kind, subject) where seen_at is null do nothing;
    return null;
  end $$`,
  String.raw`create function contact_words(external_id text, attributes jsonb) returns text language sql immutable parallel safe as $_$ select case when external_id ~ '^[+]?[0-9]{4,20}(@|$)' then ' tel' || reverse(right(regexp_replace(split_part(external_id, '@', 1), '[^0-9]', '', 'g'), 10)) else '' end
        || coalesce((select string_agg(' ' || (noted ->> 'value') || coalesce((select string_agg(' tel' || reverse(right(regexp_replace(number[1], '[^0-9]', '', 'g'), 10)), '')
  from regexp_matches(noted ->> 'value', '\+?\d(?:[ \u00a0().-]{0,2}\d){6,14}', 'g') number), ''), '')
          from jsonb_array_elements(attributes) noted), '') $_$`,
  `create function conversation_queue() returns trigger language plpgsql as $$
  begin
    if new.needs_person and not old.needs_person then
      new.unattended_told_at := null;
    end if;
    if not (new.needs_person and new.place = 'inbox' and new.status <> 'ended') then
      new.queued_at := null;
    elsif not (old.needs_person and old.place = 'inbox' and old.status <> 'ended') then
      new.queued_at := now();
    elsif new.assignee_id is distinct from old.assignee_id then
      new.queued_at := case when new.assignee_id is null then coalesce(old.queued_at, now()) end;
    end if;
    if new.queued_at is null or new.status <> 'paused' then
      new.unattended_at := null;
    elsif new.unattended_told_at is null and (old.queued_at is null or old.status <> 'paused') then
      new.unattended_at := now() + interval '1 second' * (select unattended_after_seconds from organizations where id = new.organization_id);
    end if;
    if (new.queued_at is not null and old.queued_at is null)
      or ((old.assignee_id is not null and old.queued_at is null and old.place = 'inbox'
  and ((old.needs_person and old.place = 'inbox' and old.status <> 'ended') or (old.status = 'paused' and old.pause_reason is distinct from 'customer_stop'))) and not ((new.assignee_id is not null and new.queued_at is null and new.place = 'inbox'
  and ((new.needs_person and new.place = 'inbox' and new.status <> 'ended') or (new.status = 'paused' and new.pause_reason is distinct from 'customer_stop'))) and new.assignee_id = old.assignee_id)) then
      insert into routing_wakes (organization_id) values (new.organization_id);
    end if;
    return new;
  end $$`,
  `create function conversation_waiting() returns trigger language plpgsql as $$
  begin
    new.waiting_since := case when new.status <> 'ended' then coalesce(
      (select min(created_at) from messages where organization_id = new.organization_id and conversation_id = new.id
        and author = 'customer' and sequence > new.answered_through and reason is distinct from 'rating'),
      case when new.needs_person then coalesce(old.waiting_since, now()) end,
      case when old.status = 'ended' then new.waiting_since end) end;
    return new;
  end $$`,
  `create function demand(holds boolean, what text) returns boolean language plpgsql immutable as $$
    begin
      if holds then return true; end if;
      raise exception '%', what using errcode = 'DM001';
    end $$`,
  `create function judge_connection() returns trigger language plpgsql as $$
    begin
      new.was_connected := new.was_connected or new.status = 'connected';
      new.failing_since := case
        when new.status = 'connected' and (coalesce(new.last_error, new.provider_error, new.send_error) is not null
          or new.turned_away_at is not null)
        then coalesce(new.failing_since, now()) end;
      new.is_down := new.status = 'error' or coalesce(new.account_state in ('notAuthorized', 'yellowCard', 'suspended', 'blocked', 'pendingPassword', 'unknown'), false)
        or (new.is_down and new.failing_since is not null);
      return new;
    end $$`,
  `create function note_connection_error() returns trigger language plpgsql as $_$
      declare fault text;
      begin
        foreach fault in array array[
          case when new.last_error is distinct from old.last_error then new.last_error end,
          case when new.send_error is distinct from old.send_error then new.send_error end,
          case when new.provider_error is distinct from old.provider_error then new.provider_error end
        ] loop
          if fault is not null then
            new.errors := jsonb_path_query_array(jsonb_build_array(jsonb_build_object(
              'at', floor(1000 * extract(epoch from clock_timestamp()))::bigint, 'text', fault)) || new.errors, '$[0 to 19]');
          end if;
        end loop;
        return new;
      end $_$`,
  String.raw`create function phone_words(body text) returns text language sql immutable strict parallel safe as $$ select coalesce((select string_agg(' tel' || reverse(right(regexp_replace(number[1], '[^0-9]', '', 'g'), 10)), '')
  from regexp_matches(body, '\+?\d(?:[ \u00a0().-]{0,2}\d){6,14}', 'g') number), '') $$`,
  `create function release_quotas() returns trigger language plpgsql as $$
  begin
    perform 1 from public.quotas
      where organization_id = old.organization_id and period in (old.reserved_period, old.reserved_day)
      order by period for update;
    update public.quotas set reserved = reserved - 1
      where organization_id = old.organization_id and period in (old.reserved_period, old.reserved_day);
    return null;
  end $$`,
  `create function take_rating_question_back() returns trigger language plpgsql as $$
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
  end $$`,
]
