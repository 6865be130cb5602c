// A page that is requested again keeps its previous status, in case no worker gets to it. Validity periods of sources are found without
// reading all sources.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  const timed = ['documents', 'fragments', 'tables'].map(
    (table) => `create index ${table}_timed on ${table}(organization_id, knowledge_space_id)
      where valid_from is not null or valid_until is not null`,
  )
  await run(db, [
    `alter table site_pages add column status_before text, add column reason_before text`,
    `update site_pages set status_before = status, reason_before = reason where is_retry`,
    ...timed,
  ])
}
