// Servers among themselves: a row while one runs, none after its stop, and none of long ago.
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { announceServer } from './announce.ts'
import { listServers, recordSign } from './servers.store.ts'

let test: TestDatabase
beforeEach(async () => {
  test = await openTestDatabase()
})
afterEach(() => test.close())

const list = () => listServers({ db: test.database.root })
const log = { warn: vi.fn() }

it('gives signs of life until it stops', async () => {
  const stop = await announceServer({ database: test.database, version: '1.2.3', log, everyMs: 20 })
  const [first] = await list()
  expect(first).toMatchObject({ version: '1.2.3', isGone: false })
  await vi.waitFor(async () => expect((await list())[0]?.seenAt).not.toEqual(first?.seenAt), { timeout: 45_000 })
  expect((await list())[0]?.startedAt).toEqual(first?.startedAt)
  await stop()
  expect(await list()).toEqual([])
})

it('keeps one that is gone for a day', async () => {
  const db = test.database.root
  const server = (id: string) => ({ id, host: id, version: '1.2.3' })
  for (const id of ['today', 'yesterday']) await recordSign({ db }, server(id), 0)
  await sql`update servers set seen_at = now() - case id when 'today' then interval '23 hours' else interval '25 hours' end`.execute(
    db,
  )
  await recordSign({ db }, server('new'), 60_000)
  const servers = await list()
  expect(servers.map(({ id, isGone }) => [id, isGone])).toEqual([
    ['new', false],
    ['today', true],
  ])
  expect(servers[0]?.startedAt.getTime()).toBeLessThan((servers[0]?.seenAt.getTime() ?? 0) - 59_000)
})
