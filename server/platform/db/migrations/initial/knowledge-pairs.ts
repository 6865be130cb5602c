// Tables of duplicate passages.

export const knowledgePairs: string[] = [
  `create table knowledge_pairs (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    knowledge_space_id text not null,
    kind text not null check (kind in ('duplicate', 'contradiction')),
    key text not null,
    first_chunk_id text not null,
    second_chunk_id text not null,
    first jsonb not null,
    second jsonb not null,
    conversations integer not null,
    is_dismissed boolean not null default false,
    created_at timestamptz not null default now(),
    unique (knowledge_space_id, key),
    foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade
  )`,
  `create index knowledge_pairs_space on knowledge_pairs (organization_id, knowledge_space_id, conversations desc)`,
]
