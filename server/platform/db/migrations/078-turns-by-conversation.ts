// All turns of a conversation by one index: deleting a conversation used to read every turn of the installation.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create index turns_conversation on turns(conversation_id, finished_at)`,
    `drop index turns_ended`,
    `drop index turns_follow_ups`,
  ])
}
