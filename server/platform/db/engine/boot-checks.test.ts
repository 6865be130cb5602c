// A database that was changed by hand is not served.
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { assertSound } from './boot-checks.ts'

let t: TestDatabase
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())

test('a migrated database is sound', async () => {
  await expect(assertSound(t.database.root)).resolves.toBeUndefined()
})

describe('the start is refused when', () => {
  test.each([
    [
      'row-level security is switched off',
      'alter table agents disable row level security',
      'alter table agents enable row level security',
      /security of agents/,
    ],
    [
      'it is not forced on the owner',
      'alter table agents no force row level security',
      'alter table agents force row level security',
      /security of agents/,
    ],
    [
      'a policy was added',
      'create policy extra on agents using (true)',
      'drop policy extra on agents',
      /policies of agents/,
    ],
    [
      'a policy was widened',
      'alter policy parley_app_rows on agents using (true)',
      "alter policy parley_app_rows on agents using (organization_id = (select nullif(current_setting('app.org', true), '')))",
      /policies of agents/,
    ],
    [
      'a shared table has a policy',
      'create policy extra on users using (true)',
      'drop policy extra on users',
      /users has an unknown policy/,
    ],
    [
      'a trigger is switched off',
      'alter table messages disable trigger write_log_update',
      'alter table messages enable trigger write_log_update',
      /write_log_update of messages/,
    ],
    [
      'a trigger function was changed',
      'alter function write_log_insert_messages() security invoker',
      'alter function write_log_insert_messages() security definer',
      /write_log_insert of messages/,
    ],
    [
      'a key column has another type',
      'alter table plans rename to plans_old; create view plans as select * from plans_old',
      'drop view plans; alter table plans_old rename to plans',
      /plans must not be a view/,
    ],
    [
      'a key column compares in another way',
      "create collation loose (provider = icu, locale = 'und-u-ks-level2', deterministic = false); alter table chunks alter column source_id type text collate loose",
      'alter table chunks alter column source_id type text collate "default"; drop collation loose',
      /chunks\.source_id must be text/,
    ],
    [
      'a table has children',
      'create table more_plans () inherits (plans)',
      'drop table more_plans',
      /plans must not be/,
    ],
    [
      'a function could read unseen',
      "create function peek() returns bigint language sql as 'select count(*) from users'",
      'drop function peek',
      /function peek/,
    ],
  ])('%s', async (_, harm, mend, message) => {
    const run = async (statements: string) => {
      for (const statement of statements.split('; ')) await sql.raw(statement).execute(t.database.root)
    }
    await run(harm)
    try {
      await expect(assertSound(t.database.root)).rejects.toThrow(message)
    } finally {
      await run(mend)
    }
    await expect(assertSound(t.database.root)).resolves.toBeUndefined()
  })
})
