// Answers that are being written may be for the team alone: customers read along only where nothing looks at an answer before it goes out.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table turns add column is_draft_for_team boolean not null default false`])
}
