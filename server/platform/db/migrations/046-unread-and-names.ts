// What was archived unread is not read past when the unread conversations of the inbox are counted and listed; and customers are found by
// the names that the team gave them.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `drop index conversations_unread`,
    `create index conversations_unread on conversations(organization_id, place, last_message_at desc, id desc)
      where unread_count > 0 and channel <> 'test'`,
    `drop index customers_words`,
    `create index customers_words on customers using gin ((array_to_tsvector(array['@' || organization_id])
      || to_tsvector('simple', coalesce(given_name, '') || ' ' || name || ' ' || coalesce(username, ''))))`,
  ])
}
