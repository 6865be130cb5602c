// Tokens of the HTTP API have scopes. Until now each could do everything that the API does.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table api_tokens add column scopes text[] not null default '{knowledge.read,knowledge.write}'
      check (cardinality(scopes) > 0 and scopes <@ '{knowledge.read,knowledge.write}')`,
  ])
}
