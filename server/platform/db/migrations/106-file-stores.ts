// Where the servers of this installation keep files: more than one store means that they do not see each other's.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table file_stores (
      id text primary key,
      host text not null,
      seen_at timestamptz not null
    )`,
  ])
}
