// The texts into which a channel that the test chat imitates would have cut an answer.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table messages add column parts jsonb'])
}
