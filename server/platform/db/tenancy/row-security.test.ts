// The second wall holds alone: raw SQL, which the query rewriting does not touch, meets row-level security.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addAgent, addOrganization, agentRow } from '#tests/rows.ts'
import { TENANT_TABLES } from '../keys.ts'
import { PRIVATE_TABLES } from './roles.ts'

let t: TestDatabase
let own: Id<'organizations'>
let other: Id<'organizations'>
beforeAll(async () => {
  t = await openTestDatabase()
  own = await addOrganization(t.database)
  other = await addOrganization(t.database)
  await addAgent(t.database, own)
  await addAgent(t.database, other)
})
afterAll(() => t.close())

const agents = sql<{ organization_id: string }>`select organization_id from agents`

test('raw SQL in an organization sees its rows only', async () => {
  const { rows } = await t.database.organization(own, (db) => agents.execute(db))
  expect(rows).toEqual([{ organization_id: own }])
})

test('raw SQL in an organization changes its rows only', async () => {
  await t.database.organization(own, (db) => sql`update agents set name = 'renamed'`.execute(db))
  const names = await t.database.system('test', (db) =>
    db.selectFrom('agents').select(['organization_id', 'name']).execute(),
  )
  expect(names.filter(({ name }) => name === 'renamed').map((row) => row.organization_id)).toEqual([own])
})

test('raw SQL in an organization adds no row to another', async () => {
  const { id, slug, name } = agentRow(other)
  const insert = sql`insert into agents (id, organization_id, slug, name) values (${id}, ${other}, ${slug}, ${name})`
  await expect(t.database.organization(own, (db) => insert.execute(db))).rejects.toMatchObject({ code: '42501' })
})

test('without an organization no tenant row is seen, and none can be added', async () => {
  const none = { kind: 'none' } as const
  expect((await t.database.transaction(none, (db) => agents.execute(db))).rows).toEqual([])
  const insert = t.database.transaction(none, (db) => db.insertInto('agents').values(agentRow(own)).execute())
  await expect(insert).rejects.toMatchObject({ code: '42501' })
})

test('the system scope sees all organizations', async () => {
  const { rows } = await t.database.system('test', (db) => agents.execute(db))
  expect(new Set(rows.map((row) => row.organization_id))).toEqual(new Set([own, other]))
})

describe.each(PRIVATE_TABLES)('the table %s', (table) => {
  test('cannot be read inside an organization', async () => {
    const read = t.database.organization(own, (db) => sql`select from ${sql.table(table)}`.execute(db))
    await expect(read).rejects.toMatchObject({ code: '42501' })
  })
})

test('one organization after another on the same connection: nothing stays behind', async () => {
  for (let round = 0; round < 20; round++) {
    for (const id of [own, other]) {
      expect((await t.database.organization(id, (db) => agents.execute(db))).rows).toEqual([{ organization_id: id }])
    }
  }
})

test('every table with an organization is a tenant table or is listed here', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attname = 'organization_id'`.execute(
    t.database.root,
  )
  const unguarded = rows.map((row) => row.name).filter((name) => !TENANT_TABLES.has(name))
  expect(unguarded.sort()).toEqual([
    'audit_entries', // written for the installation too, and by people in no organization
    ...['invites', 'members', 'sessions', 'support_accesses'], // read before the organization is known
  ])
})

test('the roles own nothing and do not bypass row-level security', async () => {
  const { rows } = await sql<{ owned: number; unsafe: number }>`
    select count(*) filter (where c.oid is not null)::integer as owned,
      count(*) filter (where r.rolsuper or r.rolbypassrls or r.rolcanlogin)::integer as unsafe
    from pg_roles r left join pg_class c on c.relowner = r.oid
    where r.rolname in ('parley_app', 'parley_system')`.execute(t.database.root)
  expect(rows[0]).toEqual({ owned: 0, unsafe: 0 })
})

test('an id that is no id is refused before it reaches a statement', async () => {
  const attempt = t.database.organization("x'; reset role; --" as Id<'organizations'>, (db) => agents.execute(db))
  await expect(attempt).rejects.toThrow('letters, digits')
})
