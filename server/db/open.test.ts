// The database as features see it, on both engines.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#server/lib/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())

test('an organization sees only its own rows', async () => {
  const { database } = t
  const user = newId<'users'>()
  const a = newId<'organizations'>()
  const b = newId<'organizations'>()
  await database.system('test', async (db) => {
    await db
      .insertInto('users')
      .values({ id: user, name: 'x', email: `${user}@x`, email_verified: true, image: null })
      .execute()
    await db
      .insertInto('organizations')
      .values([a, b].map((id) => ({ id, name: 'o', owner_id: user })))
      .execute()
  })
  let fired = 0
  database.onCommit(() => fired++)
  const before = await database.snapshot(async (s) => s.position)
  for (const id of [a, b]) {
    await database.organization(id, (db) =>
      db
        .insertInto('agents')
        .values({
          id: newId<'agents'>(),
          organization_id: a,
          slug: 's',
          name: 'n',
          system_prompt: '',
          model: 'm',
          temperature: 1,
          avatar: null,
          deleted_at: null,
        })
        .execute(),
    )
  }
  expect(fired).toBe(2)
  const rows = await database.organization(a, (db) => db.selectFrom('agents').selectAll().execute(), { readOnly: true })
  expect(rows.map((r) => r.organization_id)).toEqual([a])
  await database.snapshot(async (snapshot) => {
    expect((await snapshot.changesSince(before))?.length).toBe(2)
    const { value, dependencies } = await snapshot.read({ kind: 'organization', organizationId: b }, (db) =>
      db.selectFrom('agents').selectAll().execute(),
    )
    expect(value.map((r) => r.organization_id)).toEqual([b])
    expect(dependencies.length).toBeGreaterThan(0)
  })
})
