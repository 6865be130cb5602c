// Which site has last tried to show a web chat without being among those that may: its owner is asked whether it is theirs.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    'alter table channel_connections add column refused_site text, add column refused_site_at timestamptz',
  ])
}
