// A provider's last report on its deliveries to a connection: pending updates and errors.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table channel_connections add column delivery_check jsonb`])
}
