// Organizations can be suspended and accounts locked by an administrator of the installation; the lists of both have their orders,
// and what is searched in small letters.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const CAPITALS = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯӘҒҚҢӨҰҮҺІ'

/** A database of the locale C knows the small letters of Latin alone. */
const small = (text: string) => `translate(lower(${text}), '${CAPITALS}', '${CAPITALS.toLowerCase()}')`

const statements = [
  `alter table organizations add column suspended_at timestamptz, add column suspended_reason text`,
  `alter table users add column locked_at timestamptz, add column locked_reason text, add column role_decided_at timestamptz`,
  `alter table organizations add column searched text
    generated always as (${small(`name || chr(10) || coalesce(display_name, '')`)}) stored not null`,
  `alter table users add column searched text generated always as (${small('name || chr(10) || email')}) stored not null`,
  `alter table ended_sessions drop constraint ended_sessions_reason_check`,
  `alter table ended_sessions add constraint ended_sessions_reason_check
    check (reason in ('inactive', 'revoked', 'password', 'expired', 'admin', 'locked'))`,
  `create index organizations_name on organizations (name, id)`,
  `create index organizations_created on organizations (created_at, id)`,
  `create index turns_failed_organization on turns (organization_id, finished_at) where status = 'failed'`,
  `create index users_name on users (name, id)`,
  `create index users_admins on users (id) where role = 'admin'`,
]

/** Adds the columns and the indexes. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, statements)
}
