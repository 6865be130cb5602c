// The web chat: what a widget looks like, and the way from a message to what its visitor calls it.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table channel_connections add column widget jsonb`,
    `create index inbound_message on inbound(message_id) where message_id is not null`,
  ])
}
