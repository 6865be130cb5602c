// Which sheet of a workbook a table is, and which sheets its file has.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [`alter table tables add column sheet text, add column sheets jsonb not null default '[]'`])
}
