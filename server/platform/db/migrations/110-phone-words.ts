// Telephone numbers are found however they are written: each is a word of its own in the indexes, its last ten digits from the end to the
// beginning, so that the end of a number is the beginning of its word. Contacts are found by what the team noted of them as well.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** What may stand between two digits of a number: spaces, a no-break one too, brackets, dots and hyphens. */
const NUMBER = String.raw`\+?\d(?:[ \u00a0().-]{0,2}\d){6,14}`

/** The functions call no others of ours: an index is built, and built again, with nothing but the system's own in sight. */
const wordOf = (number: string) => `' tel' || reverse(right(regexp_replace(${number}, '[^0-9]', '', 'g'), 10))`
const wordsOf = (text: string) => `coalesce((select string_agg(${wordOf('number[1]')}, '')
  from regexp_matches(${text}, '${NUMBER}', 'g') number), '')`

export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `create function phone_words(body text) returns text language sql immutable strict parallel safe as
      $$ select ${wordsOf('body')} $$`,
    `create function contact_words(external_id text, attributes jsonb) returns text language sql immutable parallel safe as
      $$ select case when external_id ~ '^[+]?[0-9]{4,20}(@|$)' then ${wordOf("split_part(external_id, '@', 1)")} else '' end
        || coalesce((select string_agg(' ' || (noted ->> 'value') || ${wordsOf("noted ->> 'value'")}, '')
          from jsonb_array_elements(attributes) noted), '') $$`,
    `drop index messages_words`,
    `create index messages_words on messages using gin (
      (array_to_tsvector(array['@' || organization_id]) || to_tsvector('russian', text || phone_words(text))))
      with (fastupdate = on, gin_pending_list_limit = 256) where author <> 'system' and status <> 'streaming'`,
    `drop index customers_words`,
    `create index customers_words on customers using gin ((array_to_tsvector(array['@' || organization_id])
      || to_tsvector('simple', coalesce(given_name, '') || ' ' || name || ' ' || coalesce(username, '')
        || contact_words(external_id, attributes))))`,
  ])
}
