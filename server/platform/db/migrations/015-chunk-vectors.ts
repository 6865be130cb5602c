// What chunks mean: their vectors, the models by which a space is searched, and the questions that a model thinks they answer.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table knowledge_spaces add column embedding_model text, add column next_embedding_model text,
      add column declined_embedding_model text, add column generates_questions boolean not null default false`,
    'alter table chunks add column generated_questions jsonb',
    'alter table chunks add unique (organization_id, id)',
    // Places of chunks, too, so that the last one of a source is found without reading the space.
    'drop index chunks_space',
    'create index chunks_place on chunks(organization_id, knowledge_space_id, source_id, ordinal)',
    `create table chunk_vectors (
      organization_id text not null references organizations(id) on delete cascade, knowledge_space_id text not null,
      chunk_id text not null, model text not null, content_hash text not null, vector bytea not null,
      created_at timestamptz not null default now(),
      primary key (chunk_id, model),
      foreign key (organization_id, chunk_id) references chunks(organization_id, id) on delete cascade,
      foreign key (organization_id, knowledge_space_id) references knowledge_spaces(organization_id, id) on delete cascade)`,
    'create index chunk_vectors_space on chunk_vectors(organization_id, knowledge_space_id)',
  ])
}
