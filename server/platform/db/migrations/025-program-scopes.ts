// What programs may do with tokens beyond knowledge: with agents and conversations.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const statements = [
  `alter table api_tokens drop constraint api_tokens_scopes_check`,
  `alter table api_tokens add constraint api_tokens_scopes_check check (cardinality(scopes) > 0 and scopes <@ '{knowledge.read,knowledge.write,agents.read,agents.write,conversations.read,conversations.write}')`,
]

/** Widens the check. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
