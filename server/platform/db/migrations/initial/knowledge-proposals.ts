// Tables of proposed notes.

export const knowledgeProposals: string[] = [
  `create table knowledge_proposals (
    id text primary key,
    organization_id text not null references organizations(id) on delete cascade,
    knowledge_space_id text not null,
    conversation_id text not null,
    message_id text not null,
    state text not null check (state in ('waiting', 'approved', 'rejected', 'known', 'nothing')),
    same_as text,
    question text not null,
    answer text not null,
    alike jsonb,
    undo jsonb,
    created_at timestamptz not null default now(),
    decided_at timestamptz,
    unique (organization_id, message_id),
    foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade,
    foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade
  )`,
  `create index knowledge_proposals_conversation on knowledge_proposals (organization_id, conversation_id)`,
  `create index knowledge_proposals_same on knowledge_proposals (organization_id, same_as) where same_as is not null`,
  `create index knowledge_proposals_space on knowledge_proposals (organization_id, knowledge_space_id, state, created_at desc)`,
]
