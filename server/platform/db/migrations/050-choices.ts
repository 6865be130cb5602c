// Choices that an agent offers below a message, for customers to press.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table messages add column choices jsonb`])
}
