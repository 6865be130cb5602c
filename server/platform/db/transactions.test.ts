// Transactions: scope, isolation, repetition, and an honest end.
import { setImmediate, setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { addAgent, addOrganization, agentRow } from '#tests/rows.ts'
import type { Database, Db } from './database.ts'
import { CommitUnknownError, type Engine, type Session } from './engine/engine.ts'
import { fairEngine } from './engine/fair-connections.ts'
import type { ListenNotify } from './engine/listen-notify.ts'
import { serveDatabase } from './engine/open.ts'
import { postgresEngine } from './engine/postgres.engine.ts'
import { createSignals } from './live/signals.ts'
import { runTransaction } from './transactions.ts'

let t: TestDatabase
let organizationId: Id<'organizations'>
beforeAll(async () => {
  t = await openTestDatabase()
})
afterAll(() => t.close())
beforeEach(async () => {
  organizationId = await addOrganization(t.database)
})

const countAgents = async (db: Db) => (await db.selectFrom('agents').select('id').execute()).length

test('a transaction that throws leaves nothing behind', async () => {
  const attempt = t.database.organization(organizationId, async (db) => {
    await db.insertInto('agents').values(agentRow(organizationId)).execute()
    throw new Error('changed my mind')
  })
  await expect(attempt).rejects.toThrow('changed my mind')
  expect(await t.database.organization(organizationId, countAgents)).toBe(0)
})

test('a read-only transaction cannot write', async () => {
  const write = (db: Db) => db.insertInto('agents').values(agentRow(organizationId)).execute()
  await expect(t.database.organization(organizationId, write, { readOnly: true })).rejects.toMatchObject({
    code: '25006',
  })
})

test('a swallowed statement error does not pass for a commit', async () => {
  const attempt = t.database.organization(organizationId, async (db) => {
    await db.insertInto('agents').values(agentRow(organizationId)).execute()
    await sql`select 1 / 0`.execute(db).catch(() => {})
  })
  await expect(attempt).rejects.toThrow('rolled back because an earlier statement failed')
  expect(await t.database.organization(organizationId, countAgents)).toBe(0)
})

test('the error of a statement is that of the first that failed, also where a later one is noticed sooner', async () => {
  const slowly = (answer: Promise<unknown>) => answer.finally(() => setTimeout(100))
  const attempt = t.database.organization(organizationId, (db) =>
    Promise.all([slowly(sql`select 1 / 0`.execute(db)), countAgents(db)]),
  )
  await expect(attempt).rejects.toMatchObject({ code: '22012' })
})

test('a transaction that has ended runs nothing more', async () => {
  const db = await t.database.organization(organizationId, async (inside) => inside)
  await expect(countAgents(db)).rejects.toThrow('The transaction is over.')
})

describe('with a known number of statements', () => {
  const two = { statements: 2 } as const
  const add = (db: Db) => db.insertInto('agents').values(agentRow(organizationId)).execute()

  /** Settles after the answers of later statements. */
  const slowly = (answer: Promise<unknown>) => answer.finally(() => setImmediate())

  test('all of them are committed, and no more are run', async () => {
    await t.database.organization(organizationId, (db) => Promise.all([add(db), add(db)]), two)
    expect(await t.database.organization(organizationId, countAgents)).toBe(2)
    const three = t.database.organization(organizationId, (db) => Promise.all([add(db), add(db), add(db)]), two)
    await expect(three).rejects.toThrow('as many statements as were announced')
  })

  test('fewer are committed as well', async () => {
    await t.database.organization(organizationId, add, two)
    expect(await t.database.organization(organizationId, countAgents)).toBe(1)
  })

  test.each([
    ['first', (db: Db) => [slowly(sql`select 1 / 0`.execute(db)), add(db)]],
    ['last', (db: Db) => [add(db), sql`select 1 / 0`.execute(db)]],
  ])('the %s undoes them all when it fails, and says why', async (_, send) => {
    const attempt = t.database.organization(organizationId, (db) => Promise.all<unknown>(send(db)), two)
    await expect(attempt).rejects.toMatchObject({ code: '22012' })
    expect(await t.database.organization(organizationId, countAgents)).toBe(0)
  })

  test('a condition that is demanded and does not hold undoes them all', async () => {
    const demand = (db: Db) => sql`select demand(false, 'more')`.execute(db)
    const attempt = t.database.organization(organizationId, (db) => Promise.all([demand(db), add(db)]), two)
    await expect(attempt).rejects.toMatchObject({ code: 'DM001' })
    expect(await t.database.organization(organizationId, countAgents)).toBe(0)
  })
})

test('the fields of a database error reach the caller', async () => {
  const row = agentRow(organizationId)
  const twice = t.database.organization(organizationId, async (db) => {
    await db.insertInto('agents').values([row, row]).execute()
  })
  await expect(twice).rejects.toMatchObject({ code: '23505', constraint: 'agents_pkey', table: 'agents' })
})

test('statements of one transaction may be started together', async () => {
  const counts = await t.database.organization(organizationId, (db) =>
    Promise.all([1, 2, 3].map(() => countAgents(db))),
  )
  expect(counts).toEqual([0, 0, 0])
})

describe('the root database inside a transaction', () => {
  test('is refused at once', async () => {
    const misuse = t.database.organization(organizationId, () =>
      t.database.root.selectFrom('plans').selectAll().execute(),
    )
    await expect(misuse).rejects.toThrow('pass the transaction on')
  })
  test('so are a second transaction and a snapshot', async () => {
    const nested = t.database.organization(organizationId, () => t.database.system('test', countAgents))
    await expect(nested).rejects.toThrow('pass the transaction on')
    const snapshot = t.database.organization(organizationId, () => t.database.snapshot(async () => {}))
    await expect(snapshot).rejects.toThrow('pass the transaction on')
  })
  test('works again afterwards', async () => {
    expect(await t.database.root.selectFrom('plans').select('slug').execute()).toHaveLength(4)
  })
})

test('sixty calls at once, with and without transactions, all come through', async () => {
  await addAgent(t.database, organizationId)
  const calls = Array.from({ length: 60 }, (_, index) =>
    index % 2 === 0
      ? t.database.organization(organizationId, countAgents, { readOnly: true })
      : t.database.root
          .selectFrom('plans')
          .select('slug')
          .execute()
          .then((rows) => rows.length),
  )
  expect(await Promise.all(calls)).toEqual(calls.map((_, index) => (index % 2 === 0 ? 1 : 4)))
})

test('concurrent increments of one row are all counted', async () => {
  const agentId = await addAgent(t.database, organizationId)
  const increment = () =>
    t.database.organization(organizationId, async (db) => {
      const { live_version: version } = await db
        .selectFrom('agents')
        .select('live_version')
        .where('id', '=', agentId)
        .executeTakeFirstOrThrow()
      await setImmediate()
      await db
        .updateTable('agents')
        .set({ live_version: version + 1 })
        .where('id', '=', agentId)
        .execute()
    })
  await Promise.all(Array.from({ length: 6 }, increment))
  const { live_version: version } = await t.database.organization(organizationId, (db) =>
    db.selectFrom('agents').select('live_version').where('id', '=', agentId).executeTakeFirstOrThrow(),
  )
  expect(version).toBe(7)
})

describe('after-commit signals', () => {
  /** No other processes: their commits, which are polled at any moment, would signal too. */
  let alone: Database
  beforeAll(() => {
    const log = pino({ level: 'silent' })
    const peers: ListenNotify = {
      announce: () => {},
      announceActivity: () => {},
      lock: async () => async () => {},
      close: async () => {},
    }
    alone = serveDatabase({ engine: fairEngine(postgresEngine(t.url, log)), signals: createSignals(), peers, log })
  })
  afterAll(() => alone.close())

  const signalsOf = async (run: () => Promise<unknown>) => {
    let count = 0
    const stop = alone.onCommit(() => count++)
    await run().catch(() => {})
    stop()
    return count
  }
  test('follow a commit that wrote', async () => {
    expect(await signalsOf(() => addAgent(alone, organizationId))).toBeGreaterThan(0)
  })
  test('do not follow a read or a rollback', async () => {
    expect(await signalsOf(() => alone.organization(organizationId, countAgents))).toBe(0)
    const failing = () =>
      alone.organization(organizationId, async (db) => {
        await db.insertInto('agents').values(agentRow(organizationId)).execute()
        throw new Error('no')
      })
    expect(await signalsOf(failing)).toBe(0)
  })
  test('follow a write through the root database', async () => {
    const user = { id: newId<'users'>(), name: 'n', email: `${newId()}@example.com`, email_verified: false }
    expect(await signalsOf(() => alone.root.insertInto('users').values(user).execute())).toBeGreaterThan(0)
  })
})

test('work under one name runs one after another, under two names side by side', async () => {
  const events: string[] = []
  const held = Promise.withResolvers<void>()
  const first = t.database.withLock('a', async () => {
    events.push('a1 begins')
    await held.promise
    events.push('a1 ends')
  })
  const second = t.database.withLock('a', async () => events.push('a2'))
  await t.database.withLock('b', async () => events.push('b'))
  held.resolve()
  await Promise.all([first, second])
  expect(events.filter((event) => event !== 'b')).toEqual(['a1 begins', 'a1 ends', 'a2'])
  expect(events.indexOf('b')).toBeLessThan(events.indexOf('a1 ends'))
})

describe('with an engine that fails', () => {
  type Faults = { begin?: unknown[]; query?: unknown[]; commit?: unknown[] }
  function failing(faults: Faults) {
    const ends: string[] = []
    const session: Session = {
      begin: async () => fail(faults.begin) ?? [],
      script: async () => [],
      executeQuery: async () => fail(faults.query) ?? { rows: [] },
      streamQuery: () => {
        throw new Error('unused')
      },
      commit: async () => fail(faults.commit) ?? undefined,
      rollback: async () => {},
      release: (broken) => ends.push(broken ? 'closed' : 'returned'),
    }
    const engine: Engine = {
      acquire: async () => session,
      unhurried: (run) => run(engine),
      probe: async () => {},
      close: async () => {},
    }
    return { runner: { engine, committed: () => {} }, ends }
  }
  function fail(faults: unknown[] = []): null {
    const fault = faults.shift()
    if (fault) throw fault
    return null
  }
  const coded = (code: string) => Object.assign(new Error(code), { code })
  const none = { kind: 'none' } as const

  test.each(['40001', '40P01'])('a transaction that lost a conflict (%s) runs again from its start', async (code) => {
    const { runner } = failing({ commit: [coded(code), coded(code)] })
    let runs = 0
    expect(await runTransaction(runner, none, async () => ++runs)).toBe(3)
  })
  test('it gives up after twelve attempts', async () => {
    const { runner } = failing({ commit: Array.from({ length: 20 }, () => coded('40001')) })
    let runs = 0
    await expect(runTransaction(runner, none, async () => ++runs)).rejects.toMatchObject({ code: '40001' })
    expect(runs).toBe(12)
  })
  test('a connection lost before the commit is replaced', async () => {
    const { runner, ends } = failing({ begin: [coded('57P01')] })
    expect(await runTransaction(runner, none, async () => 'done')).toBe('done')
    expect(ends).toEqual(['closed', 'returned'])
  })
  test('a connection that the server has ended in answer to a statement is replaced: the commit behind it was not carried out', async () => {
    const fatal = Object.assign(coded('57P01'), { severity: 'FATAL' })
    const { runner, ends } = failing({ query: [fatal], commit: [new CommitUnknownError('lost')] })
    const run = async (db: Db) => void (await sql`select 1`.execute(db))
    await runTransaction(runner, none, run, { statements: 1 })
    expect(ends).toEqual(['closed', 'returned'])
  })
  test('what was only read is read again when its commit is lost', async () => {
    const unknown = new CommitUnknownError('lost', { cause: coded('57P01') })
    const { runner } = failing({ query: [coded('57P01')], commit: [unknown] })
    let runs = 0
    const run = async (db: Db) => {
      runs++
      await sql`select 1`.execute(db)
    }
    await runTransaction(runner, none, run, { statements: 1, readOnly: true })
    expect(runs).toBe(2)
  })
  test.each(['25006', '53100'])(
    'a database that takes no writes (%s) ends its connection, and is tried again',
    async (code) => {
      const { runner, ends } = failing({ commit: [coded(code)] })
      expect(await runTransaction(runner, none, async () => 'done')).toBe('done')
      expect(ends).toEqual(['closed', 'returned'])
    },
  )
  test('a database that stays away is given up after five attempts', async () => {
    const { runner } = failing({ begin: Array.from({ length: 20 }, () => coded('57P03')) })
    let runs = 0
    await expect(runTransaction(runner, none, async () => ++runs)).rejects.toMatchObject({ code: '57P03' })
    expect(runs).toBe(5)
  })
  test('a connection lost during the commit has an error of its own and is never repeated', async () => {
    const { runner, ends } = failing({ commit: [new CommitUnknownError('lost')] })
    let runs = 0
    await expect(runTransaction(runner, none, async () => ++runs)).rejects.toBeInstanceOf(CommitUnknownError)
    expect([runs, ends]).toEqual([1, ['closed']])
  })
  test('a statement lost together with the commit behind it is never repeated', async () => {
    const { runner, ends } = failing({ query: [coded('57P01')], commit: [new CommitUnknownError('lost')] })
    let runs = 0
    const run = async (db: Db) => {
      runs++
      await sql`select 1`.execute(db)
    }
    await expect(runTransaction(runner, none, run, { statements: 1 })).rejects.toBeInstanceOf(CommitUnknownError)
    expect([runs, ends]).toEqual([1, ['closed']])
  })
})
