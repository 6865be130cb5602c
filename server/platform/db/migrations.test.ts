// Runs every migration over a database that has data, and checks that the data is kept.
import { readdirSync } from 'node:fs'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { agentSettings } from '#shared/agents/agent-settings.ts'
import { createDatabase, testServer } from '#tests/database.ts'
import { rootDatabase } from './engine/dialect.ts'
import type { Engine } from './engine/engine.ts'
import { postgresEngine } from './engine/postgres.engine.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/migrations.ts'

/** Rows as the first release wrote them. */
const OLD_ROWS = [
  `insert into users (id, name, email, email_verified) values ('u1', 'Ann', 'ann@example.com', true)`,
  `insert into organizations (id, name, owner_id) values ('o1', 'Shop', 'u1')`,
  `insert into agents (id, organization_id, slug, name, system_prompt, model, temperature)
    values ('a1', 'o1', 'helper', 'Helper', 'Be kind.', 'openai/gpt-5', 0.5)`,
  `insert into conversations (id, organization_id, agent_id, channel, test_user_id) values ('c1', 'o1', 'a1', 'test', 'u1')`,
  `insert into messages (id, organization_id, conversation_id, author, text) values ('m1', 'o1', 'c1', 'customer', 'Hello')`,
  `insert into turns (id, organization_id, conversation_id, status) values ('t1', 'o1', 'c1', 'pending')`,
  ...['t1', 't1/2/0', 'another'].map(
    (source) => `insert into usage_events (source_id, organization_id, category, channel, messages, model)
      values ('${source}', 'o1', 'test_message', 'test', 1, 'openai/gpt-5')`,
  ),
]

/** Tables whose rows are deleted one at a time, if ever, by a request that waits for it. */
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

test('what the first release kept is there after every later migration', async () => {
  await engine.unhurried(async (session) => {
    const root = rootDatabase(session)
    const { error } = await new Migrator({
      db: root,
      provider: { getMigrations: async () => migrations },
    }).migrateTo('004-engine')
    expect(error).toBeUndefined()
    for (const row of OLD_ROWS) await sql.raw(row).execute(root)
  })

  await migrate(engine)

  await engine.unhurried(async (session) => {
    const root = rootDatabase(session)
    const agent = await root
      .selectFrom('agents')
      .innerJoin('agent_versions', 'agent_versions.agent_id', 'agents.id')
      .select(['live_version', 'latest_version', 'number', 'settings'])
      .executeTakeFirstOrThrow()
    expect(agent).toMatchObject({ live_version: 1, latest_version: 1, number: 1 })
    const settings = agentSettings.parse(agent.settings)
    expect(settings).toMatchObject({ systemPrompt: 'Be kind.', model: 'openai/gpt-5', temperature: 0.5 })
    const chat = await root.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
    expect(chat).toMatchObject({ id: 'c1', test_variant: 'a' })
    const turn = await root.selectFrom('turns').selectAll().executeTakeFirstOrThrow()
    expect(turn).toMatchObject({ id: 't1', status: 'pending', kind: 'reply' })
    const events = root.selectFrom('usage_events').select(['conversation_id', 'purpose']).orderBy('source_id')
    expect(await events.execute()).toEqual([
      { conversation_id: null, purpose: null },
      { conversation_id: 'c1', purpose: 'reply' },
      { conversation_id: 'c1', purpose: 'reply' },
    ])
  })
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
  const session = await engine.acquire()
  await session.script(
    `insert into kysely_migration (name, timestamp) values ('999-newer', '2099-01-01T00:00:00.000Z')`,
  )
  session.release()
  await expect(migrate(engine)).rejects.toThrow(/newer version of Parley: it has 999-newer/)
})
