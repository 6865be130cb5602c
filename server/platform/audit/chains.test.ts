// The audit trail: entries are chained as they are written, cannot be changed by the application, and a change by hand is found.
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { insertAuditEntry, type NewAuditEntry } from './audit.store.ts'
import { proveChains } from './chains.ts'

const [FIRST, SECOND] = ['a'.repeat(32), 'b'.repeat(32)] as [Id<'organizations'>, Id<'organizations'>]

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const ACTOR = { userId: 'u'.repeat(32) as Id<'users'>, name: 'Анна', email: 'anna@example.com' }

function write(organizationId: Id<'organizations'> | null, details: Partial<NewAuditEntry> = {}): Promise<void> {
  const entry = {
    actor: ACTOR,
    action: 'plans:create',
    organizationId,
    address: '10.0.0.1',
    at: new Date(),
    ...details,
  }
  const run = (db: Parameters<Parameters<TestDatabase['database']['system']>[1]>[0]) => insertAuditEntry({ db }, entry)
  return organizationId ? test.database.organization(organizationId, run) : test.database.system('test', run)
}

const prove = () => test.database.system('test', (db) => proveChains({ db }), { readOnly: true })
/** As someone who has the database itself. */
async function tamper(statement: string): Promise<void> {
  await sql`alter table audit_entries disable trigger keep_audit_entries`.execute(test.database.root)
  await sql.raw(statement).execute(test.database.root)
}

async function writeSeveral(): Promise<void> {
  await write(FIRST, { before: { role: 'operator', name: 'Ждёт; "кавычки"' }, after: { role: 'admin' } })
  await write(FIRST, { resource: { kind: 'plan', id: 'pro', name: 'Про\n2' }, address: null, reason: '' })
  await write(FIRST, { actor: null })
  await write(SECOND)
  await write(null)
}

describe('chains', () => {
  it('count for each organization, and prove what was written', async () => {
    await writeSeveral()
    expect(await prove()).toMatchObject({ chains: 3, entries: 5, flaws: [] })
  })

  it('have no gap and no fork when many write at once', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, at) => write(at % 2 === 0 ? FIRST : null)))
    expect(await prove()).toMatchObject({ chains: 2, entries: 25, flaws: [] })
  })

  it('do not grow by what is rolled back', async () => {
    await write(FIRST)
    const failing = test.database.organization(FIRST, async (db) => {
      await insertAuditEntry(
        { db },
        { actor: ACTOR, action: 'x', organizationId: FIRST, address: null, at: new Date() },
      )
      throw new Error('rolled back')
    })
    await expect(failing).rejects.toThrow('rolled back')
    await write(FIRST)
    expect(await prove()).toMatchObject({ entries: 2, flaws: [] })
  })

  for (const [what, statement, flaw] of [
    [
      'a changed value',
      `update audit_entries set after = '{"role":"owner"}' where position = 2`,
      { position: 2, what: 'changed' },
    ],
    [
      'another actor',
      `update audit_entries set actor_name = 'X' where chain = '${FIRST}' and position = 1`,
      { position: 1, what: 'changed' },
    ],
    [
      'a moment',
      `update audit_entries set at = at + interval '1 ms' where position = 3`,
      { position: 3, what: 'changed' },
    ],
    ['what was nothing', `update audit_entries set reason = null where position = 2`, { position: 2, what: 'changed' }],
    ['an entry taken out', `delete from audit_entries where position = 2`, { position: 2, what: 'missing' }],
    ['an end taken off', `delete from audit_entries where position = 3`, { position: null, what: 'missing' }],
    ['a chain taken out', `delete from audit_entries where chain = '${FIRST}'`, { position: null, what: 'missing' }],
    [
      'a chain without its end',
      `delete from audit_chains where chain = '${FIRST}'`,
      { position: null, what: 'missing' },
    ],
  ] as const)
    it(`show ${what}`, async () => {
      await writeSeveral()
      await tamper(statement)
      expect((await prove()).flaws).toEqual([{ chain: FIRST, ...flaw }])
    })
})

describe('the application', () => {
  for (const statement of [
    `update audit_entries set actor_name = 'X'`,
    'delete from audit_entries',
    'truncate audit_entries',
    `update audit_chains set hash = ''`,
    `insert into audit_chains (chain, length, hash) values ('x', 1, '')`,
  ])
    it(`may not: ${statement}`, async () => {
      await writeSeveral()
      const change = (db: Parameters<Parameters<TestDatabase['database']['system']>[1]>[0]) =>
        sql.raw(statement).execute(db)
      await expect(test.database.organization(FIRST, change)).rejects.toThrow('permission denied')
      await expect(test.database.system('test', change)).rejects.toThrow('permission denied')
      expect(await prove()).toMatchObject({ entries: 5, flaws: [] })
    })

  it('cannot change an entry as the owner of the table either, unless it takes the trigger off', async () => {
    await writeSeveral()
    for (const statement of [
      `update audit_entries set actor_name = 'X'`,
      'delete from audit_entries',
      'truncate audit_entries',
    ])
      await expect(sql.raw(statement).execute(test.database.root)).rejects.toThrow('never changed')
  })

  it('keeps secrets out, at any depth', async () => {
    await write(FIRST, { after: { botToken: '12:AB', nested: { apiKey: 'sk-1', name: 'fine' }, passwords: ['x'] } })
    const rows = await test.database.system('test', (db) => db.selectFrom('audit_entries').select('after').execute())
    expect(rows[0]?.after).toBe('{"botToken":"•••","nested":{"apiKey":"•••","name":"fine"},"passwords":["•••"]}')
  })
})
