// People and messages are found also by numbers with long dashes, spaces of other widths or invisible marks between their digits, and by
// words with Russian letters in the place of ё and the Kazakh ones.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

/** As `NUMBER_GAP` has it (server/platform/lib/text/number-words.ts). */
const GAP = String.raw`[\u00a0\u00ad\u2007-\u2015\u202a-\u202f\u2060\u2066-\u2069\u2212 ().-]{0,4}`
/** In any locale of the database, C included: small letters, and Russian ones in the place of ё and the Kazakh ones. */
const LETTERS = {
  from: 'АБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁёӘәҒғҚқҢңӨөҰұҮүҺһІі',
  to: 'абвгдежзийклмнопрстуфхцчшщъыьэюяееааггккннооууууххии',
}

const functions = [
  // Where two numbers may stand next to each other, everything up to each place at which the first may end is one. Longer runs of digits are
  // read in pieces: of one without an end each place would be looked for in all of it.
  String.raw`create or replace function phone_words(body text) returns text language sql immutable strict parallel safe as $$
    select coalesce(string_agg(' tel' || reverse(right(digits, 10)), ''), '')
    from regexp_matches(body, '\d(?:${GAP}\d){6,40}', 'g') number,
      lateral (select string_to_array(regexp_replace(regexp_replace(number[1], '[^0-9]{3,}', '|', 'g'), '[^0-9|]+',
        case when length(regexp_replace(number[1], '[^0-9]', '', 'g')) > 15 then '|' else '' end, 'g'), '|') as pieces) split,
      lateral (select array_to_string(pieces[greatest(1, upto - 9):upto], '') as digits
        from generate_series(1, cardinality(pieces)) upto) ends
    where length(digits) >= 7 $$`,
  `create function even_letters(body text) returns text language sql immutable strict parallel safe as $$
    select translate(body, '${LETTERS.from}', '${LETTERS.to}') $$`,
  `create function message_words(body text) returns text language sql immutable strict parallel safe as $$
    select public.even_letters(body) || public.phone_words(body) $$`,
  `create function person_words(given_name text, name text, username text, external_id text, attributes jsonb)
    returns text language sql immutable parallel safe as $$
    select public.even_letters(coalesce(given_name, '') || ' ' || name || ' ' || coalesce(username, '')
        || coalesce((select string_agg(' ' || (noted ->> 'value'), '') from jsonb_array_elements(attributes) noted), ''))
      || case when external_id ~ '^[+]?[0-9]{4,20}(@|$)'
        then ' tel' || reverse(right(regexp_replace(split_part(external_id, '@', 1), '[^0-9]', '', 'g'), 10)) else '' end
      || coalesce((select string_agg(public.phone_words(noted ->> 'value'), '') from jsonb_array_elements(attributes) noted), '') $$`,
]

/** Makes the functions, and the indexes by what they say. */
export async function up(db: Kysely<never>): Promise<void> {
  await run(db, [
    ...functions,
    `drop index messages_words`,
    `create index messages_words on messages using gin ((array_to_tsvector(array['@' || organization_id])
      || to_tsvector('russian'::regconfig, message_words(text)))) with (fastupdate='on', gin_pending_list_limit='256')
      where (author <> 'system') and (status <> 'streaming')`,
    `drop index customers_words`,
    `create index customers_words on customers using gin ((array_to_tsvector(array['@' || organization_id])
      || to_tsvector('simple'::regconfig, person_words(given_name, name, username, external_id, attributes))))`,
    `drop function contact_words(text, jsonb)`,
  ])
}
