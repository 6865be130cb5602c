// What the migrations make, from nothing and from a database that has been in use.
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createDatabase, testServer } from '#tests/database.ts'
import { dumpSchema } from '#tests/schema-dump.ts'
import { rootDatabase } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { postgresEngine } from './engine/postgres.engine.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'

/** Names as many and as far as those of before the first release. */
const EARLIER = [
  '001-accounts',
  ...Array.from({ length: 94 }, (_, at) => `${String(at + 2).padStart(3, '0')}-x`),
  '113-profiles-and-errors',
]

/** They are removed one at a time, with a person waiting for it, if ever. */
const SELDOM_REMOVED = ['organizations', 'users', 'plans', 'agents', 'channel_connections', 'knowledge_spaces']

let engine: Engine
let drop: () => Promise<void>
beforeEach(async () => {
  const empty = await createDatabase(testServer())
  drop = empty.drop
  engine = postgresEngine(empty.url, pino({ level: 'silent' }))
})
afterEach(async () => {
  await engine.close()
  await drop()
})

test('every file of a migration is carried out, in the order of their numbers', () => {
  const files = readdirSync(new URL('./migrations/', import.meta.url)).filter((name) => /^\d{3}-/.test(name))
  const names = files.map((name) => name.replace('.ts', '')).sort()
  expect(Object.keys(migrations)).toEqual(names)
  const numbers = names.map((name) => name.slice(0, 3))
  expect(numbers).toEqual([...new Set(numbers)])
})

test('the first migration makes what the earlier ones made, and never anything else', async () => {
  await migrateTo('001-initial')
  const made = await engine.unhurried((session) => dumpSchema(rootDatabase(session) as never))
  const expected = readFileSync(new URL('../../../tests/snapshots/001-initial.schema.txt', import.meta.url), 'utf8')
  expect(`${made.join('\n')}\n`).toBe(expected)
})

test('a database of before the first release gets the history of a new one, and keeps its rows', async () => {
  await migrateTo('001-initial')
  await writeHistory(EARLIER)
  await run(`insert into users (id, name, email, email_verified) values ('u1', 'Ann', 'ann@example.com', true)`)
  await migrate(engine)
  expect(await readHistory()).toEqual(Object.keys(migrations))
  expect(await run('select name from users')).toEqual([{ name: 'Ann' }])
})

test('renamed tables keep no old name in an index, a constraint, a sequence or a function', async () => {
  await migrate(engine)
  const schema = await engine.unhurried((session) => dumpSchema(rootDatabase(session) as never))
  const tables =
    /\b(inbound|quota_holds|removals|reroutes|routing_wakes|tables)(?!_events)(_|\.|\b.*constraint| r [ft]$)/
  const routines = /write_log_[a-z]+_(inbound|quota_holds|removals|reroutes|routing_wakes|tables)\b/
  const columns =
    /\b(turned_away_at|is_taking|setbacks|placed_at|conversations_place_check)\b|\b(conversations|used_uploads|new|old)\.place\b|\(.*\bplace\b.*\)/
  expect(
    schema
      .flatMap((part) => part.split('\n'))
      .filter((line) => [tables, routines, columns].some((old) => old.test(line))),
  ).toEqual([])
})

test('what few conversations have is moved with its rows, also by an owner who is no superuser', async () => {
  await migrateTo('002-names')
  await run(`insert into users (id, name, email, email_verified) values ('u', 'Ann', 'ann@example.com', true)`)
  await run(`insert into organizations (id, name, owner_id) values ('o', 'Shop', 'u')`)
  await run(`insert into agents (id, organization_id, slug, name) values ('a', 'o', 'a', 'Agent')`)
  await run(`insert into conversations (id, organization_id, agent_id, channel, pause_epoch, rating_score, rating_comment, rated_at, rated_through,
      rating_ask_at, rating_question_id, rating_thanks_id, rating_asked_through, summary, summary_through, stretch_summary, stretch_through,
      follow_up_at, follow_up_step)
    values ('bare', 'o', 'a', 'telegram', 0, null, null, null, 0, null, null, null, 0, null, 0, null, 0, null, 0),
      ('full', 'o', 'a', 'telegram', 3, 4, 'Quick', '2026-01-01Z', 7, '2026-01-02Z', 'q', 't', 6, 'In short', 5, 'People', 8, '2026-01-03Z', 1),
      ('step', 'o', 'a', 'telegram', 0, null, null, null, 0, null, null, null, 0, null, 0, null, 0, null, 2)`)
  await run(
    `insert into messages (id, organization_id, conversation_id, author, text) values ('m', 'o', 'full', 'customer', 'Hello')`,
  )
  for (const table of ['conversations', 'messages']) await run(`alter table ${table} enable row level security`)
  await asOwner(() => migrateTo('003-conversation-parts'))
  const through = (await run(`select sequence from messages`)) as { sequence: number }[]
  expect(await run('select * from conversation_ratings')).toEqual([
    {
      ...{
        organization_id: 'o',
        conversation_id: 'full',
        score: 4,
        comment: 'Quick',
        rated_at: new Date('2026-01-01Z'),
      },
      ...{ rated_through: 7, ask_at: new Date('2026-01-02Z'), question_id: 'q', thanks_id: 't', asked_through: 6 },
    },
  ])
  expect(await run('select * from conversation_summaries')).toEqual([
    {
      ...{ organization_id: 'o', conversation_id: 'full', summary: 'In short', summary_through: 5 },
      ...{ stretch_summary: 'People', stretch_through: 8 },
    },
  ])
  expect(await run('select * from conversation_follow_ups order by conversation_id')).toEqual([
    {
      ...{ organization_id: 'o', conversation_id: 'full', due_at: new Date('2026-01-03Z'), step: 1, pause_epoch: 3 },
      answered_through: through[0]?.sequence,
    },
    { organization_id: 'o', conversation_id: 'step', due_at: null, step: 2, pause_epoch: 0, answered_through: 0 },
  ])
  const isForced = { relforcerowsecurity: true }
  expect(await run(`select relforcerowsecurity from pg_class where relname in ('conversations', 'messages')`)).toEqual([
    isForced,
    isForced,
  ])
})

test('conversations of before have facts, also for an owner who is no superuser', async () => {
  await migrateTo('009-api-token-scopes')
  await run(`insert into users (id, name, email, email_verified) values ('u', 'Ann', 'ann@example.com', true)`)
  await run(`insert into organizations (id, name, owner_id, time_zone) values ('o', 'Shop', 'u', 'Asia/Kathmandu')`)
  await run(`insert into agents (id, organization_id, slug, name) values ('a', 'o', 'a', 'Agent')`)
  await run(`insert into conversations (id, organization_id, agent_id, channel, status, folder, handoff_reason, created_at, last_message_at)
    values ('c', 'o', 'a', 'telegram', 'ended', 'archived', null, '2026-05-01T18:00Z', '2026-05-01T18:20Z'),
      ('p', 'o', 'a', 'telegram', 'active', 'deleted', 'policy', '2026-05-02Z', '2026-05-02Z'), ('t', 'o', 'a', 'test', 'active', 'inbox', null, '2026-05-02Z', '2026-05-02Z')`)
  await run(`insert into messages (id, organization_id, conversation_id, author, text, model, created_at) values
    ('m1', 'o', 'c', 'customer', 'Hello', null, '2026-05-01T18:10Z'), ('m2', 'o', 'c', 'agent', 'Hi', 'gpt', '2026-05-01T18:20Z'),
    ('m3', 'o', 't', 'customer', 'Test', null, '2026-05-01T18:20Z')`)
  await run(`insert into conversation_ratings (organization_id, conversation_id, score) values ('o', 'c', 5)`)
  await run(`insert into usage_events (source_id, organization_id, category, channel, messages, model, cost_micro_usd, conversation_id, purpose)
    values ('e1', 'o', 'agent_response', 'telegram', 1, 'gpt', 70, 'c', 'reply'), ('e2', 'o', 'agent_response', 'telegram', 1, 'gpt', null, 'c', 'reply')`)
  for (const table of ['conversations', 'messages', 'usage_events', 'conversation_ratings', 'knowledge_queries'])
    await run(`alter table ${table} enable row level security`)
  await asOwner(() => migrateTo('010-analytics'))
  expect(
    await run(`select conversation_id, is_deleted, outcome, first_response_ms, resolution_ms, handoff_reason, rating, cost_micro_usd,
      unpriced_calls from conversation_facts order by conversation_id`),
  ).toEqual([
    {
      ...{
        conversation_id: 'c',
        is_deleted: false,
        outcome: 'resolved',
        first_response_ms: 600_000,
        resolution_ms: 600_000,
      },
      ...{ handoff_reason: null, rating: 5, cost_micro_usd: 70, unpriced_calls: 1 },
    },
    {
      ...{
        conversation_id: 'p',
        is_deleted: true,
        outcome: 'handed_off',
        first_response_ms: null,
        resolution_ms: null,
      },
      ...{ handoff_reason: 'policy', rating: null, cost_micro_usd: 0, unpriced_calls: 0 },
    },
  ])
  expect(await run('select conversation_id, day::text, customer, agent from message_days order by day')).toEqual([
    { conversation_id: 'c', day: '2026-05-01', customer: 1, agent: 0 },
    { conversation_id: 'c', day: '2026-05-02', customer: 0, agent: 1 },
  ])
  expect(
    await run(`select conversation_id as id, time_zone, last_day::text, previous_day::text from conversation_facts
      order by conversation_id`),
  ).toEqual([
    { id: 'c', time_zone: 'Asia/Kathmandu', last_day: null, previous_day: '2026-05-02' },
    { id: 'p', time_zone: null, last_day: null, previous_day: null },
  ])
})

test('stored filters of conversations get the name that is read now, and keep all else', async () => {
  await migrateTo('001-initial')
  await run(`insert into users (id, name, email, email_verified) values ('u1', 'Ann', 'ann@example.com', true)`)
  await run(`insert into organizations (id, name, owner_id) values ('o1', 'Bakery', 'u1')`)
  await run(`insert into inbox_views (id, organization_id, name, query) values
    ('v1', 'o1', 'First', '?place=archived&q=place%3D1'), ('v2', 'o1', 'Second', '?tag=a&place=deleted'),
    ('v3', 'o1', 'Third', '?tag=place&replace=1')`)
  await run(`insert into exports (id, organization_id, name, manner, file_key, chosen) values
    ('e1', 'o1', 'Chats', '{}', 'k1', '{"filter": {"place": "archived", "tag": "place"}}'),
    ('e2', 'o1', 'Chats', '{}', 'k2', '{"filter": {"tag": "place"}}')`)
  await migrate(engine)
  expect(await run('select query from inbox_views order by id')).toEqual([
    { query: '?folder=archived&q=place%3D1' },
    { query: '?tag=a&folder=deleted' },
    { query: '?tag=place&replace=1' },
  ])
  expect(await run('select chosen from exports order by id')).toEqual([
    { chosen: { filter: { folder: 'archived', tag: 'place' } } },
    { chosen: { filter: { tag: 'place' } } },
  ])
})

test('one that has not come to the end of the earlier migrations is refused, with what to do', async () => {
  await migrateTo('001-initial')
  await writeHistory(EARLIER.slice(0, -1))
  await expect(migrate(engine)).rejects.toThrow(
    /has 95 of 96 earlier migrations[\s\S]*Start the last version that has them/,
  )
  expect(await readHistory()).toEqual(EARLIER.slice(0, -1))
})

test('what belongs to a row that is removed is found by an index', async () => {
  await migrate(engine)
  const found = await engine.unhurried(async (session) => {
    const { rows } = await sql<{ name: string }>`
      select conrelid::regclass || ' of ' || confrelid::regclass as name from pg_constraint c
      where contype = 'f' and confrelid::regclass::text <> all (${SELDOM_REMOVED}) and not exists (
        select from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]
        where i.indrelid = c.conrelid and ((i.indkey::int2[])[0:array_length(c.conkey, 1) - 1] @> c.conkey
            or (a.attname <> 'organization_id' and a.attnum = any (c.conkey))) -- every id is unique beyond its organization
          and (i.indpred is null or pg_get_expr(i.indpred, i.indrelid) in (
            select '(' || attname || ' IS NOT NULL)' from pg_attribute where attrelid = c.conrelid and attnum = any (c.conkey))))
      order by name`.execute(rootDatabase(session))
    return rows
  })
  expect(found).toEqual([])
})

test('a database that a newer version has been at is refused in words', async () => {
  await migrate(engine)
  await run(`insert into kysely_migration (name, timestamp) values ('999-newer', '2099-01-01T00:00:00.000Z')`)
  await expect(migrate(engine)).rejects.toThrow(/newer version of Parley: it has 999-newer/)
})

function run(statement: string): Promise<unknown[]> {
  return engine.unhurried(async (session) => (await sql.raw(statement).execute(rootDatabase(session))).rows)
}

/** Works with the rights of a role that owns what is in the database, and no more. */
async function asOwner(work: () => Promise<void>): Promise<void> {
  const owner = `owner_${randomUUID().replaceAll('-', '')}`
  await run(`create role ${owner}`)
  await run(`do $$ declare command text; begin
    alter schema public owner to ${owner};
    for command in
      select format('alter table %s owner to ${owner}', oid::regclass) from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' union all
      select format('alter function %s owner to ${owner}', oid::regprocedure) from pg_proc where pronamespace = 'public'::regnamespace
    loop execute command; end loop;
    execute format('alter database %I set role = ${owner}', current_database());
  end $$`)
  try {
    await work()
  } finally {
    await run(`do $$ begin
      set local role none;
      execute format('alter database %I reset role', current_database());
      execute format('reassign owned by ${owner} to %I', session_user);
      drop role ${owner};
    end $$`)
  }
}

async function migrateTo(name: string): Promise<void> {
  await engine.unhurried(async (session) => {
    const provider = { getMigrations: async () => migrations }
    const { error } = await new Migrator({ db: rootDatabase(session), provider }).migrateTo(name)
    expect(error).toBeUndefined()
  })
}

async function writeHistory(names: readonly string[]): Promise<void> {
  await run('delete from kysely_migration')
  for (const name of names) await run(`insert into kysely_migration (name, timestamp) values ('${name}', '2026-01-01')`)
}

async function readHistory(): Promise<string[]> {
  const rows = (await run('select name from kysely_migration order by name')) as { name: string }[]
  return rows.map(({ name }) => name)
}
