// How often each turn was broken off by accident, which its epoch does not tell: that grows with every planned try and every clean stop.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, ['alter table turns add column setbacks smallint not null default 0'])
}
