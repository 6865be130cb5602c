// Session tokens become hashes where they lie, so that people stay signed in; one-time values live for minutes and are dropped. Uploads that
// were sent are noted.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `update sessions set token = encode(sha256(convert_to(token, 'UTF8')), 'hex')`,
    `delete from verifications`,
    `create table used_uploads (
      organization_id text not null references organizations(id) on delete cascade,
      file_key text not null, place text not null, used_by text not null, used_at timestamptz not null default now(),
      primary key (file_key, place))`,
    `create index used_uploads_organization on used_uploads(organization_id)`,
  ])
}
