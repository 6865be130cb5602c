// People are found also where pictures stand beside their names, and by Latin letters without their marks.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** As `withoutMarks` has it (server/platform/lib/text/names.ts). */
const LETTERS = {
  from:
    'ÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝàáâãäåçèéêëìíîïñòóôõöùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĒ' +
    'ēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĨĩĪīĬĭĮįİĴĵĶķĹĺĻļĽľŃńŅņŇňŌōŎŏŐőŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŨũ' +
    'ŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžıøØłŁđĐ',
  to:
    'aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuyyaaaaaaccccccccdde' +
    'eeeeeeeeegggggggghhiiiiiiiiijjkkllllllnnnnnnoooooorrrrrrssssssssttttuu' +
    'uuuuuuuuuuwwyyyzzzzzzioolldd',
}
const PICTURES = String.raw`[\u2190-\u2bff\ufe0f\u200d\U0001f000-\U0001faff]`

/** Makes the functions, and the index by what they say. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    `drop index customers_words`,
    `create function name_letters(body text) returns text language sql immutable strict parallel safe as $$
      select translate(regexp_replace(public.even_letters(body), '${PICTURES}', ' ', 'g'), '${LETTERS.from}', '${LETTERS.to}') $$`,
    `create or replace function person_words(given_name text, name text, username text, external_id text, attributes jsonb)
      returns text language sql immutable parallel safe as $$
      select public.name_letters(coalesce(given_name, '') || ' ' || name || ' ' || coalesce(username, '')
          || coalesce((select string_agg(' ' || (noted ->> 'value'), '') from jsonb_array_elements(attributes) noted), ''))
        || case when external_id ~ '^[+]?[0-9]{4,20}(@|$)'
          then ' tel' || reverse(right(regexp_replace(split_part(external_id, '@', 1), '[^0-9]', '', 'g'), 10)) else '' end
        || coalesce((select string_agg(public.phone_words(noted ->> 'value'), '') from jsonb_array_elements(attributes) noted), '') $$`,
    `create index customers_words on customers using gin ((array_to_tsvector(array['@' || organization_id])
      || to_tsvector('simple'::regconfig, person_words(given_name, name, username, external_id, attributes))))`,
  ])
}
