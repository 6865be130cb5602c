// Two-step sign-in, passkeys, when a session was last used and why it ended, and what an organization demands of its members.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create table two_factors (
      user_id text primary key references users(id) on delete cascade,
      secret text not null,
      recovery_codes jsonb not null default '[]',
      is_confirmed boolean not null default false,
      last_step bigint not null default 0,
      created_at timestamptz not null default now()
    )`,
    `create table passkeys (
      id text primary key,
      user_id text not null references users(id) on delete cascade,
      name text,
      public_key text not null,
      credential_id text not null unique,
      counter bigint not null,
      device_type text not null,
      backed_up boolean not null,
      transports text,
      aaguid text,
      created_at timestamptz not null default now()
    )`,
    `create index passkeys_user_id on passkeys (user_id)`,
    `create table ended_sessions (
      token text primary key,
      reason text not null check (reason in ('inactive', 'revoked', 'password', 'expired')),
      ended_at timestamptz not null default now()
    )`,
    `create index ended_sessions_ended_at on ended_sessions (ended_at)`,
    `alter table users add two_factor_enabled boolean not null default false`,
    `alter table users add removed_organization text`,
    `alter table sessions add last_used_at timestamptz not null default now()`,
    `alter table sessions add confirmed_at timestamptz not null default now()`,
    `alter table organizations add requires_two_step boolean not null default false`,
    `alter table organizations add sign_out_after_minutes integer check (sign_out_after_minutes between 15 and 43200)`,
  ])
}
