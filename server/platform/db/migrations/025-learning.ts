// Unsupported statements of agents, proposals from the replies of operators, and passages of a space that duplicate or contradict each
// other.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table messages add column unfounded jsonb`,
    `create index messages_unfounded on messages(organization_id, created_at desc) where unfounded is not null`,
    `alter table knowledge_spaces add column learns_from_replies boolean not null default false,
      add column compared_version bigint, add column compared_at timestamptz`,
    `create table knowledge_proposals (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, conversation_id text not null, message_id text not null,
      state text not null check (state in ('waiting', 'approved', 'rejected', 'known', 'nothing')),
      same_as text, question text not null, answer text not null, alike jsonb, undo jsonb,
      created_at timestamptz not null default now(), decided_at timestamptz,
      unique (organization_id, message_id),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade,
      foreign key (organization_id, conversation_id) references conversations(organization_id, id) on delete cascade)`,
    `create index knowledge_proposals_space on knowledge_proposals(organization_id, knowledge_space_id, state, created_at desc)`,
    `create index knowledge_proposals_same on knowledge_proposals(organization_id, same_as) where same_as is not null`,
    `create index knowledge_proposals_conversation on knowledge_proposals(organization_id, conversation_id)`,
    `create table knowledge_pairs (
      id text primary key, organization_id text not null references organizations(id) on delete cascade,
      knowledge_space_id text not null, kind text not null check (kind in ('duplicate', 'contradiction')), key text not null,
      first_chunk_id text not null, second_chunk_id text not null, first jsonb not null, second jsonb not null,
      conversations integer not null, is_dismissed boolean not null default false,
      created_at timestamptz not null default now(), unique (knowledge_space_id, key),
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    `create index knowledge_pairs_space on knowledge_pairs(organization_id, knowledge_space_id, conversations desc)`,
  ])
}
