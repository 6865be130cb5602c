// The way from a message to the parts of it that have not gone out: asked for every message that a model is given.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`create index outbox_failed on outbox(message_id) where status = 'failed'`])
}
