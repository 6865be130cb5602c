// The next content of a document stands aside until it is whole: what is found of a document changes in one transaction.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table staged_chunks (
      organization_id text not null references organizations(id) on delete cascade, document_id text not null,
      ordinal integer not null, id text not null, title text not null, heading_path jsonb not null, body text not null,
      token_count integer not null, content_hash text not null, page integer, last_page integer, sheet text,
      first_row integer, last_row integer, start_offset integer not null, end_offset integer not null,
      primary key (document_id, ordinal),
      foreign key (organization_id, document_id) references documents(organization_id, id) on delete cascade)`,
    // Chunks that stay may change places with each other: the rule holds at the end of a statement, not at every row.
    'alter table chunks drop constraint chunks_source_id_ordinal_key',
    'alter table chunks add constraint chunks_source_id_ordinal_key unique (source_id, ordinal) deferrable',
    // What was stored of attempts that came to nothing, and the counts of a content that is gone.
    `delete from chunks using documents d where d.id = chunks.source_id and d.organization_id = chunks.organization_id
      and d.status <> 'ready'`,
    `update documents set chunk_count = 0, token_count = 0, warnings = '[]' where status <> 'ready'`,
  ])
}
