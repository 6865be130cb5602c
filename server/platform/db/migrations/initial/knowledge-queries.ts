// Tables of questions that were asked.

export const knowledgeQueries: string[] = [
  `create table knowledge_queries (
    organization_id text not null references organizations(id) on delete cascade,
    turn_id text not null,
    "position" integer not null,
    conversation_id text not null,
    channel text not null,
    space_ids jsonb not null,
    query text not null,
    gist text not null,
    is_weak boolean not null,
    found jsonb not null,
    has_found_little boolean not null,
    is_settled boolean not null default false,
    asked_at timestamptz not null default now(),
    primary key (turn_id, "position"),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade
  )`,
  `create index knowledge_queries_conversation on knowledge_queries (organization_id, conversation_id)`,
  `create index knowledge_queries_gaps on knowledge_queries (organization_id, gist) where has_found_little and (not is_settled)`,
  `create index knowledge_queries_newest on knowledge_queries (organization_id, asked_at desc, turn_id desc, "position" desc)`,
  `create index knowledge_queries_oldest on knowledge_queries (asked_at)`,
]
