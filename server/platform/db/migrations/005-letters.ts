// Letters of accounts and organizations on their way out: what they say is encrypted, and removed when they have been sent.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table letters (
      id text primary key,
      recipient text not null,
      kind text not null,
      language text not null check (language in ('ru', 'en')),
      content text,
      state text not null default 'waiting' check (state in ('waiting', 'sending', 'sent', 'kept', 'failed')),
      attempts integer not null default 0,
      next_attempt_at timestamptz not null,
      expires_at timestamptz,
      last_error text,
      created_at timestamptz not null,
      sent_at timestamptz
    )`,
    `create index letters_created on letters (created_at)`,
    `create index letters_due on letters (next_attempt_at) where state in ('waiting', 'sending')`,
  ])
}
