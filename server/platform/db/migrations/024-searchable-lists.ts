// Names of documents and texts of notes as lists are searched by: without case, in Latin and Cyrillic alike, whatever the database's
// locale; ё counts as е.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

const UPPER = 'АБВГДЕЁЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЄІЇҐӘҒҚҢӨҰҮҺё'
const LOWER = 'абвгдеежзийклмнопрстуфхцчшщъыьэюяєіїґәғқңөұүһе'

/** SQL that normalizes a text for searching lists. */
export const folded = (text: string) => `translate(lower(${text}), '${UPPER}', '${LOWER}')`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `alter table documents add column name_key text not null generated always as (${folded('name')}) stored`,
    `alter table fragments add column search_key text not null
      generated always as (${folded(`name || ' ' || content`)}) stored`,
    'create index documents_name on documents(organization_id, knowledge_space_id, name_key, id)',
  ])
}
