// Since when messages of a connection that its events no longer report are being re-read. And customers are notified of each further number
// that writes in place of theirs, not only of the first.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    'alter table channel_connections add column gap_since timestamptz',
    `alter table reroutes drop constraint reroutes_connection_id_external_chat_id_frozen_since_key,
      add constraint reroutes_told_once unique (connection_id, external_chat_id, frozen_since, to_connection_id)`,
  ])
}
