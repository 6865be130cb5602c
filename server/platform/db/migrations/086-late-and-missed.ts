// Changes of messages that come before the messages, or in another order than they were made: found by the message that they change. And
// since when and until when messages of a connection may never have come in. And receipts that come before their part, and tell of all
// before it too.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table inbound add column edit_of text`,
    `create index inbound_edits on inbound(connection_id, edit_of) where edit_of is not null`,
    `alter table early_receipts add column is_up_to boolean not null default false`,
    `alter table channel_connections add column missed_since timestamptz, add column missed_until timestamptz`,
  ])
}
