// Connections whose way of delivery a person has chosen: it stays when the public address of the installation changes.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table channel_connections add column delivery_chosen boolean not null default false'])
}
