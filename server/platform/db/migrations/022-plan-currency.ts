// A plan's price says in which currency it is.
import type { Kysely } from 'kysely'
import { renameColumn, run } from './sql.ts'

const statements = [
  renameColumn('plans', 'price_kzt', 'price'),
  `alter table plans add column currency text not null default 'KZT' check (currency ~ '^[A-Z]{3}$')`,
]

/** Prices so far are in tenge. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
