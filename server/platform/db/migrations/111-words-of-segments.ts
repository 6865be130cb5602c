// By which reading of words an index segment was made: those made by an older one are made again from their chunks, in the background, and
// serve until then.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table index_segments add column words_version integer not null default 1'])
}
