// The browsers in which people of the team are alerted by push.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table push_devices (
      organization_id text not null references organizations(id) on delete cascade,
      user_id text not null references users(id) on delete cascade,
      session_id text not null references sessions(id) on delete cascade,
      endpoint text not null, p256dh text not null, auth text not null, name text not null,
      created_at timestamptz not null default now(),
      primary key (organization_id, user_id, endpoint))`,
    `create index push_devices_user on push_devices(user_id)`,
    `create index push_devices_session on push_devices(session_id)`,
  ])
}
