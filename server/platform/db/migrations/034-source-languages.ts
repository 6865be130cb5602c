// The language of sources, found in their texts or chosen by a person, and the languages that an agent is kept to. Sources that are there
// already get theirs by the letters of their first chunks.
import type { Kysely } from 'kysely'
import { run } from './sql.ts'

export async function up(db: Kysely<never>): Promise<void> {
  const language = (column: string) => `${column} text check (${column} in ('ru', 'en', 'other'))`
  const letters = (kept: string) => `sum(length(regexp_replace(left(body, 1000), '[^${kept}]', '', 'g')))`
  for (const table of ['documents', 'fragments', 'tables']) {
    await run(db, [
      `alter table ${table} add column ${language('text_language')}, add column ${language('chosen_language')},
        add column language text generated always as (coalesce(chosen_language, text_language)) stored`,
      `update ${table} set text_language = case when cyrillic >= 0.25 * (cyrillic + latin) then 'ru' else 'en' end
        from (select source_id, ${letters('А-Яа-яЁё')} as cyrillic, ${letters('A-Za-z')} as latin
          from chunks where ordinal < 20 group by source_id) as counted
        where counted.source_id = ${table}.id and cyrillic + latin > 0`,
    ])
  }
  await run(db, [`alter table agent_knowledge_spaces add column languages jsonb not null default '[]'`])
}
