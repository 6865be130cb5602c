// How far the embedding model of a space is to be trusted there. Spaces that are searched by one are measured as if it had just been chosen.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table knowledge_spaces add column embedding_trust real, add column embedding_trust_chunks integer not null default 0`,
    `update knowledge_spaces set next_embedding_model = embedding_model
      where embedding_model is not null and next_embedding_model is null and declined_embedding_model is null`,
  ])
}
