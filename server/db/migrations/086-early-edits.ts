// Changes of messages that come before the messages, or in another order than they were made: found by the message that they change.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table inbound add column edit_of text`,
    `create index inbound_edits on inbound(connection_id, edit_of) where edit_of is not null`,
  ])
}
