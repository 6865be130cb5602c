// PostgreSQL's own full-text search over passages: what one gets without an index of one's own.
import pg from 'pg'
import { startPostgres } from '#tests/postgres.ts'

export type FullTextPassage = { id: string; title: string; text: string }

/** Whether a passage must hold every word of the question, as `websearch_to_tsquery` has it, or any of them. */
export type FullTextMode = 'all words' | 'any word'

/** Ranks passages by `ts_rank`, titles above texts. To be closed. */
export type FullText = {
  /** Ids of the best passages, best first. */
  find(query: string, mode: FullTextMode, most: number): Promise<string[]>
  close(): Promise<void>
}

const SCHEMA = `create table passages (number serial primary key, id text not null, document tsvector not null);
  create index passages_document on passages using gin (document);`
/** The Russian configuration stems Cyrillic as Russian and Latin letters as English: one serves both. */
const INSERT = `insert into passages (id, document) select id,
  setweight(to_tsvector('russian', title), 'A') || setweight(to_tsvector('russian', text), 'B')
  from unnest($1::text[], $2::text[], $3::text[]) as given(id, title, text)`
const FIND = `with asked as (
    select case when $2 then websearch_to_tsquery('russian', $1)
      else replace(plainto_tsquery('russian', $1)::text, '&', '|')::tsquery end as query)
  select id from passages, asked where document @@ query
  order by ts_rank(document, query) desc, number limit $3`

/** Indexes the passages on a server of its own. */
export async function openFullText(passages: FullTextPassage[]): Promise<FullText> {
  const server = await startPostgres()
  const database = new pg.Client(server.url)
  await database.connect()
  await database.query(SCHEMA)
  await database.query(INSERT, [
    passages.map((passage) => passage.id),
    passages.map((passage) => passage.title),
    passages.map((passage) => passage.text),
  ])
  return {
    async find(query, mode, most) {
      const { rows } = await database.query<{ id: string }>(FIND, [query, mode === 'all words', most])
      return rows.map((row) => row.id)
    },
    async close() {
      await database.end()
      await server.stop()
    },
  }
}
