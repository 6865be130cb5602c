// A test database that is used again is as good as a new one, and one that cannot be made so is not used again.
import { expect, onTestFinished, test } from 'vitest'
import { EmbeddedDatabase } from '#server/db/embedded.ts'
import { migratedDump } from './database.ts'
import { rewoundThreads } from './embedded-threads.ts'

/** What can be asked about a database, beside its rows. The settings of a language exist from when it is loaded. */
const STATE = {
  relations: `select oid::int, relname, relfilenode::int, relpages, reltuples, relacl::text from pg_class order by 1`,
  columns: `select md5(string_agg(a::text, '' order by attrelid, attnum)) from pg_attribute a`,
  functions: `select md5(string_agg(p::text, '' order by oid)) from pg_proc p`,
  roles: 'select rolname, rolsuper, rolconfig::text from pg_roles order by 1',
  sequences: 'select schemaname, sequencename, last_value::text from pg_sequences order by 1, 2',
  settings: `select name, setting, reset_val from pg_settings where name not like 'plpgsql.%' order by 1`,
  listening: 'select pg_listening_channels()',
  prepared: 'select name from pg_prepared_statements',
  locks: 'select locktype, mode, objid::int from pg_locks order by 1, 2, 3',
  who: 'select session_user::text, current_user::text, pg_current_xact_id_if_assigned()::text',
}
/** Something of everything that a test may do to its database. */
const USE = `
  create role visitor; alter role visitor set work_mem = '2MB';
  create sequence counter; select nextval('counter');
  create table notes (n integer primary key, text text);
  insert into notes select n, repeat('word ', 500) from generate_series(1, 5000) n;
  create function count_notes() returns bigint language plpgsql as 'begin return (select count(*) from notes); end';
  select count_notes(), to_tsvector('russian', 'заметки');
  delete from kysely_migration;
  alter table conversations add column mood text; drop table turns cascade; analyze notes;
  listen news; set work_mem = '3MB'; set role visitor; reset role;
  prepare counting as select 1; select pg_advisory_lock(7)`

test('a database that was used is, for the next, as one from the dump', async () => {
  const used = await open()
  const thread = await threadOf(used)
  const before = await stateOf(used)
  await used.exec(USE)
  await used.exec('checkpoint') // from memory into the files
  const listened = await used.listen('events', () => {})
  const after = await stateOf(used)
  for (const part of Object.keys(STATE).filter((name) => name !== 'who'))
    expect(after[part], part).not.toEqual(before[part])
  await used.close()
  await expect(listened()).rejects.toThrow('closed')

  const next = await open()
  onTestFinished(() => next.close())
  expect(await threadOf(next)).toBe(thread)
  const fresh = await EmbeddedDatabase.open({ dump: await migratedDump() })
  onTestFinished(() => fresh.close())
  expect(await stateOf(next)).toEqual(await stateOf(fresh))
})

test('an open transaction, and what waits for it, are gone with their database', async () => {
  const left = await open()
  const thread = await threadOf(left)
  await left.begin('create table left_open (n integer)')
  const waiting = [left.begin('create table left_waiting (n integer)'), left.exec('create table left_last (n integer)')]
  await Promise.all([left.close(), left.close(), ...waiting.map((call) => call.catch(() => {}))])

  const [next, other] = [await open(), await open()]
  onTestFinished(() => next.close())
  onTestFinished(() => other.close())
  expect(await threadOf(next)).toBe(thread)
  expect(await threadOf(other)).not.toBe(thread)
  expect((await next.query(`select relname from pg_class where relname like 'left%'`)).rows).toEqual([])
  await next.exec('create table left_open (n integer)')
})

test('what is asked of a database while it closes is refused, and nothing of it is met by the next', async () => {
  const left = await open()
  const closing = left.close()
  const late = Promise.allSettled(Array.from({ length: 20 }, () => left.begin('create table left_late (n integer)')))
  await closing
  for (const call of await late) expect(call).toMatchObject({ status: 'rejected', reason: { message: /closed/ } })
  const next = await open()
  onTestFinished(() => next.close())
  expect((await next.query(`select to_regclass('left_late') as late`)).rows).toEqual([{ late: null }])
})

test('a thread that has loaded a library is not used again', async () => {
  const spoilt = await open()
  const thread = await threadOf(spoilt)
  await spoilt.exec(`load 'pgoutput'`)
  await spoilt.close()
  const next = await open()
  onTestFinished(() => next.close())
  expect(await threadOf(next)).not.toBe(thread)
})

test('a thread that was killed is not used again', async () => {
  const killed = await open()
  const thread = await threadOf(killed)
  killed.blockedLimitMs = 100
  await expect(killed.exec('select count(*) from generate_series(1, 1000000000000)')).rejects.toThrow('exited')
  killed.blockedLimitMs = 30_000
  expect(await threadOf(killed)).not.toBe(thread)
  await killed.close()
  const next = await open()
  onTestFinished(() => next.close())
  expect(await threadOf(next)).not.toBe(thread)
})

async function open(): Promise<EmbeddedDatabase> {
  return EmbeddedDatabase.open({ dump: await migratedDump(), threads: rewoundThreads })
}

/** No two threads begin in the same microsecond. */
async function threadOf(database: EmbeddedDatabase): Promise<unknown> {
  const { rows } = await database.query('select pg_postmaster_start_time()::text as began')
  return rows[0]?.began
}

/** The answers to STATE, and the number of rows and their sum of every table. */
async function stateOf(database: EmbeddedDatabase): Promise<Record<string, unknown>> {
  const state: Record<string, unknown> = {}
  for (const [part, query] of Object.entries(STATE)) state[part] = (await database.query(query)).rows
  const { rows } = await database.query(
    `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  const sums = rows.map(
    ({ name }) =>
      `select '${name}' as name, count(*)::int, md5(string_agg(t::text, '' order by t::text)) from ${name} t`,
  )
  state.rows = (await database.query(sums.join(' union all '))).rows
  return state
}
