// Messages that customers have forwarded: whose words they are.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table messages add column forwarded jsonb'])
}
