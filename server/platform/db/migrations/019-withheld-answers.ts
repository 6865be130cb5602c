// What an answer has answered, so that it can be taken back when a pause withholds all of it.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table turns add column answered_before bigint`])
}
