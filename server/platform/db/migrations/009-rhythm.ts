// What the rhythm of a conversation needs: since when a customer waits, how long a part is typed, which follow-ups were sent.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table turns add column waiting_since timestamptz not null default now()`,
    `alter table outbox add column delay_ms integer not null default 0`,
    `create index turns_follow_ups on turns(conversation_id) where kind = 'follow_up'`,
  ])
}
