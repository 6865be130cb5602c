// Tables of files of messages.

export const attachments: string[] = [
  `create table used_uploads (
    organization_id text not null references organizations(id) on delete cascade,
    file_key text not null,
    place text not null,
    used_by text not null,
    used_at timestamptz not null default now(),
    primary key (file_key, place)
  )`,
  `create index used_uploads_organization on used_uploads (organization_id)`,
  `create table attachments (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    conversation_id text not null,
    message_id text not null,
    "position" integer not null,
    kind text not null,
    external_file_id text,
    mime_type text,
    name text,
    size_bytes bigint,
    duration_seconds integer,
    file_key text,
    status text not null check (status in ('waiting', 'ready', 'failed')),
    text text,
    reason text,
    created_at timestamptz not null default now(),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
    foreign key (organization_id, message_id) references messages(organization_id, id) on delete cascade
  )`,
  `create index attachments_age on attachments (organization_id, created_at)
    where (file_key is not null) or (external_file_id is not null) or (text is not null)`,
  `create index attachments_conversation on attachments (organization_id, conversation_id)`,
  `create index attachments_message on attachments (organization_id, message_id)`,
  `alter table attachments force row level security`,
]
