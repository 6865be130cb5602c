// Tables of retrieval test cases.

export const knowledgeCases: string[] = [
  `create table knowledge_cases (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    knowledge_space_id text not null,
    question text not null,
    expected jsonb not null,
    created_at timestamptz not null default now(),
    unique (knowledge_space_id, question),
    foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade
  )`,
  `create index knowledge_cases_space on knowledge_cases (organization_id, knowledge_space_id, created_at)`,
]
