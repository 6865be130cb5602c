// Live snapshots: one moment, exact changes between two of them, and a scope for each read.
import { AsyncResource } from 'node:async_hooks'
import { CompiledQuery, type Kysely, sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import { isVisible } from '#server/platform/sync/visibility.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addAgent, addOrganization, agentRow } from '#tests/rows.ts'
import type { Change, Db } from './database.ts'
import { forgetForeignHistory, NEWER, pruneWriteLog } from './live/write-log.ts'
import type { Tables } from './tables/database.ts'

let t: TestDatabase
let organizationId: Id<'organizations'>
let start: string
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())
beforeEach(async () => {
  organizationId = await addOrganization(t.database)
  start = await position()
})

/** Where another request would run: not inside the test's open snapshot. */
const outside = new AsyncResource('outside')
const position = () => t.database.snapshot(async (snapshot) => snapshot.position)
const changesSince = (from: string) => t.database.snapshot((snapshot) => snapshot.changesSince(from))
const agentIds = async (db: Db) => (await db.selectFrom('agents').select('id').execute()).map((row) => row.id)
const scope = (id: Id<'organizations'>) => ({ kind: 'organization', organizationId: id }) as const
const ofTable = (changes: Change[] | null, table: string) =>
  changes?.filter((change) => change.table === table).map((change) => change.keys)

describe('changes since a position', () => {
  test('name the keys of rows that were added, and nothing when nothing was', async () => {
    expect(await changesSince(start)).toEqual([])
    const id = await addAgent(t.database, organizationId)
    expect(await changesSince(start)).toEqual([{ table: 'agents', keys: [{ organization_id: organizationId, id }] }])
    expect(await changesSince(await position())).toEqual([])
  })
  test('are looked for without reading the whole log, however long it is', async () => {
    await sql`insert into write_log (table_name) select 'agents' from generate_series(1, 5000)`.execute(t.database.root)
    await sql`analyze write_log`.execute(t.database.root)
    // What is counted of a connection reaches back over its transactions of the last second.
    const readSoFar = async (db: Kysely<Tables>) => {
      const { rows } = await sql<{ read: number }>`
        select (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
        where relname = 'write_log'`.execute(db)
      return rows[0]?.read ?? 0
    }
    const look = (from: string) =>
      t.database.root.transaction().execute(async (db) => {
        await sql`set local plan_cache_mode = force_generic_plan`.execute(db)
        const before = await readSoFar(db)
        const { rows } = await db.executeQuery<{ has_changes: boolean }>(CompiledQuery.raw(NEWER, [from]))
        return { hasChanges: rows[0]?.has_changes, read: (await readSoFar(db)) - before }
      })
    start = await position()
    expect((await look(start)).hasChanges).toBe(false)
    await addAgent(t.database, organizationId)
    const { hasChanges, read } = await look(start)
    expect(hasChanges).toBe(true)
    expect(read).toBeLessThan(100)
  })
  test('leave out what was rolled back', async () => {
    const attempt = t.database.organization(organizationId, async (db) => {
      await db.insertInto('agents').values(agentRow(organizationId)).execute()
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await changesSince(start)).toEqual([])
  })
  test('name the old and the new key of a row that moved', async () => {
    const [from, to] = [await addOrganization(t.database), await addOrganization(t.database)]
    const { user_id } = await t.database.root
      .selectFrom('members')
      .select('user_id')
      .where('organization_id', '=', from)
      .executeTakeFirstOrThrow()
    start = await position()
    await t.database.system('test', (db) =>
      db.updateTable('members').set({ organization_id: to }).where('user_id', '=', user_id).execute(),
    )
    const [keys] = ofTable(await changesSince(start), 'members') ?? []
    expect(new Set(keys?.map((tuple) => tuple.organization_id))).toEqual(new Set([from, to]))
  })
  test('see cascades, raw SQL and TRUNCATE', async () => {
    await addAgent(t.database, organizationId)
    start = await position()
    await sql`delete from organizations where id = ${organizationId}`.execute(t.database.root)
    const changes = await changesSince(start)
    expect(new Set(changes?.map(({ table }) => table))).toEqual(new Set(['agents', 'members', 'organizations']))
    await sql`truncate outbox cascade`.execute(t.database.root)
    expect(ofTable(await changesSince(start), 'outbox')).toEqual([null])
  })
  test('name the whole table when more than a thousand keys were touched', async () => {
    const rows = Array.from({ length: 1001 }, () => agentRow(organizationId))
    await t.database.organization(organizationId, (db) => db.insertInto('agents').values(rows.slice(0, 1000)).execute())
    expect(ofTable(await changesSince(start), 'agents')?.[0]).toHaveLength(1000)
    await t.database.organization(organizationId, (db) => db.updateTable('agents').set({ name: 'x' }).execute())
    await t.database.organization(organizationId, (db) => db.insertInto('agents').values(rows.slice(1000)).execute())
    start = await position()
    await t.database.organization(organizationId, (db) => db.updateTable('agents').set({ name: 'y' }).execute())
    expect(ofTable(await changesSince(start), 'agents')).toEqual([null])
  })
  test('say nothing of statements that met no row', async () => {
    await t.database.organization(organizationId, async (db) => {
      await db.updateTable('agents').set({ name: 'x' }).execute()
      await db.deleteFrom('agents').execute()
    })
    await t.database.system('test', (db) => db.deleteFrom('plans').where('slug', '=', 'unknown').execute())
    expect(await changesSince(start)).toEqual([])
  })
  test('are unknown once the log was pruned past the position, and known again from now on', async () => {
    await addAgent(t.database, organizationId)
    await sql`update write_log set created_at = now() - interval '11 minutes'`.execute(t.database.root)
    await pruneWriteLog(t.database.root)
    expect(await changesSince(start)).toBeNull()
    // Transactions of other databases on the same server, begun before the prune, keep positions unknown until they end.
    await expect.poll(async () => changesSince(await position())).toEqual([])
  })
  test('are known again after a restore, which brings a log of another history', async () => {
    await sql`insert into write_log (xid, table_name) values ('900000000', 'agents')`.execute(t.database.root)
    await sql`update write_log_horizon set xid = '900000001'`.execute(t.database.root)
    expect(await changesSince(start)).toBeNull()
    await forgetForeignHistory(t.database.root)
    expect(await changesSince(start)).toEqual([])
  })
  test('are unknown for a position that this database has not reached', async () => {
    expect(await changesSince('900000000:900000000:')).toBeNull()
  })
})

describe('a read', () => {
  test('sees its own organization, one after another in the same snapshot, also when they start together', async () => {
    const other = await addOrganization(t.database)
    const [own, foreign] = [await addAgent(t.database, organizationId), await addAgent(t.database, other)]
    const results = await t.database.snapshot((snapshot) =>
      Promise.all([
        snapshot.read(scope(organizationId), agentIds),
        snapshot.read(scope(other), agentIds),
        snapshot.read({ kind: 'none' }, agentIds),
        snapshot.read(scope(organizationId), agentIds),
      ]),
    )
    expect(results.map(({ value }) => value)).toEqual([[own], [foreign], [], [own]])
  })
  test('tells what it depends on, narrowed to its organization', async () => {
    const { dependencies } = await t.database.snapshot((snapshot) =>
      snapshot.read(scope(organizationId), (db) =>
        db
          .selectFrom('agents')
          .selectAll()
          .where('id', 'in', ['a' as never, 'b' as never])
          .execute(),
      ),
    )
    expect(dependencies).toEqual([{ table: 'agents', equals: { organization_id: [organizationId], id: ['a', 'b'] } }])
  })
  test('does not see what is committed after the snapshot was taken', async () => {
    const before = await t.database.snapshot(async (snapshot) => {
      await snapshot.read(scope(organizationId), agentIds)
      await outside.runInAsyncScope(() => addAgent(t.database, organizationId))
      return snapshot.read(scope(organizationId), agentIds)
    })
    expect(before.value).toEqual([])
    expect(await changesSince(start)).toHaveLength(1)
  })
  test('that fails leaves the others their snapshot', async () => {
    await addAgent(t.database, organizationId)
    await t.database.snapshot(async (snapshot) => {
      const failing = snapshot.read(scope(organizationId), (db) =>
        db.selectFrom('agents').select(sql`1 / 0`.as('x')).execute(),
      )
      await expect(failing).rejects.toMatchObject({ code: '22012' })
      expect((await snapshot.read(scope(organizationId), agentIds)).value).toHaveLength(1)
      await snapshot.read(scope(organizationId), async (db) => {
        await db
          .selectFrom('agents')
          .select(sql`1 / 0`.as('x'))
          .execute()
          .catch(() => {})
      })
      expect(await snapshot.changesSince(start)).toHaveLength(1)
    })
  })
  test.each<[string, (db: Db) => Promise<unknown>]>([
    ['raw SQL', (db: Db) => sql`select 1`.execute(db)],
    ['a write', (db: Db) => db.deleteFrom('agents').execute()],
    ['a table that is not tracked', (db: Db) => db.selectFrom('write_log').selectAll().execute()],
    ['a query built without plugins', (db: Db) => sql`select 1`.execute(db.withoutPlugins())],
    ['a query built elsewhere', (db: Db) => db.executeQuery(t.database.root.selectFrom('plans').selectAll().compile())],
  ])('refuses %s', async (_, run) => {
    await expect(t.database.snapshot((snapshot) => snapshot.read({ kind: 'system' }, run))).rejects.toThrow(
      'live query',
    )
  })
})

describe('whether a transaction is visible at a position', () => {
  test.each([
    ['9', true],
    ['10', false],
    ['11', true],
    ['14', false],
    ['19', true],
    ['20', false],
    ['21', false],
  ])('%s at 10:20:10,14 is %s', (xid, expected) => {
    expect(isVisible(xid, '10:20:10,14')).toBe(expected)
  })
  test('agrees with the database', async () => {
    const positions = ['5:5:', '5:9:5,7', '100:200:100,150,199', '4294967300:4294967310:4294967301']
    for (const at of positions) {
      const { rows } = await sql<{ xid: string; visible: boolean }>`
        select x::text as xid, pg_visible_in_snapshot(x::text::xid8, ${at}::pg_snapshot) as visible
        from unnest(array[1, 4, 5, 6, 7, 8, 9, 10, 99, 100, 101, 150, 199, 200, 4294967299, 4294967301, 4294967302, 4294967310]::bigint[]) x`.execute(
        t.database.root,
      )
      for (const { xid, visible } of rows) expect([at, xid, isVisible(xid, at)]).toEqual([at, xid, visible])
    }
  })
  test('holds for a commit and the snapshots before and after it', async () => {
    const xid = await t.database.organization(organizationId, async (db) => {
      await db
        .insertInto('agents')
        .values({ ...agentRow(organizationId), id: newId() })
        .execute()
      return (await sql<{ xid: string }>`select pg_current_xact_id() as xid`.execute(db)).rows[0]?.xid ?? ''
    })
    expect([isVisible(xid, start), isVisible(xid, await position())]).toEqual([false, true])
  })
})
