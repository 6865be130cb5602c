// Tables of what operators work with.

export const desk: string[] = [
  `create table canned_replies (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    name text not null,
    text_ru text not null,
    text_en text not null,
    created_at timestamptz not null default now()
  )`,
  `create unique index canned_replies_name on canned_replies (organization_id, lower(name))`,
  `create table inbox_views (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    user_id text references users(id) on delete cascade,
    name text not null,
    query text not null,
    created_at timestamptz not null default now(),
    unique (organization_id, id)
  )`,
  `create index inbox_views_user on inbox_views (user_id)`,
  `create table operators (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text primary key references users(id) on delete cascade,
    is_taking boolean not null default false,
    capacity integer not null check (capacity > 0),
    hours jsonb,
    is_within_hours boolean not null default true,
    hours_change_at timestamptz,
    last_assigned_at timestamptz
  )`,
  `create index operators_hours on operators (hours_change_at) where hours_change_at is not null`,
  `create index operators_organization on operators (organization_id)`,
  `create table routing_wakes (
    id bigint primary key generated always as identity,
    organization_id text not null references organizations(id) on delete cascade
  )`,
  `create index routing_wakes_organization on routing_wakes (organization_id)`,
  `create table inbox_default_views (
    organization_id text not null references organizations(id) on delete cascade,
    user_id text not null references users(id) on delete cascade,
    view_id text not null,
    primary key (organization_id, user_id),
    foreign key (organization_id, view_id) references inbox_views(organization_id, id) on delete cascade
  )`,
  `create index inbox_default_views_user on inbox_default_views (user_id)`,
  `create index inbox_default_views_view on inbox_default_views (organization_id, view_id)`,
  `create table conversation_notes (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    conversation_id text not null,
    user_id text references users(id) on delete set null,
    text text not null,
    created_at timestamptz not null default now(),
    unique (organization_id, id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index conversation_notes_conversation on conversation_notes (organization_id, conversation_id, created_at desc)`,
  `create index conversation_notes_user on conversation_notes (user_id)`,
  `create table conversation_presence (
    organization_id text not null references organizations(id) on delete cascade,
    conversation_id text not null,
    user_id text not null references users(id) on delete cascade,
    state text not null check (state in ('looking', 'typing')),
    at timestamptz not null default now(),
    primary key (conversation_id, user_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index conversation_presence_conversation on conversation_presence (organization_id, conversation_id)`,
  `create index conversation_presence_user on conversation_presence (user_id)`,
  `create table message_translations (
    organization_id text not null references organizations(id) on delete cascade,
    message_id text not null,
    language text not null check (language in ('ru', 'en')),
    source_digest text not null,
    text text,
    claimed_until timestamptz not null,
    primary key (message_id, language),
    foreign key (organization_id, message_id) references messages(organization_id, id) on delete cascade
  )`,
  `create index message_translations_organization on message_translations (organization_id, message_id)`,
  `create table note_mentions (
    organization_id text not null references organizations(id) on delete cascade,
    note_id text not null,
    conversation_id text not null,
    user_id text not null references users(id) on delete cascade,
    seen_at timestamptz,
    primary key (note_id, user_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
    foreign key (organization_id, note_id) references conversation_notes(organization_id, id) on delete cascade
  )`,
  `create index note_mentions_conversation on note_mentions (organization_id, conversation_id)`,
  `create index note_mentions_unseen on note_mentions (organization_id, user_id) where seen_at is null`,
  `create index note_mentions_user on note_mentions (user_id)`,
  `create trigger alert_mention after insert on note_mentions referencing new table as new_rows for each statement execute function alert_mention()`,
]
