// A turn that crashes every server that works on it, along with turns that are running next to it: it is given up, and they are answered.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { claimTurns, returnTurns } from '#server/domain/messaging/turns/runner.store.ts'
import type { Claim } from '#server/domain/messaging/turns/turn.ts'
import type { TurnStatus } from '#server/platform/db/tables/conversations.ts'
import type { Id } from '#shared/ids.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { PipelineWorld } from '#tests/pipeline-world.ts'

/** Far from the ids of servers that were started. */
const FIRST_SERVER = 1_900_000_000
const CUSTOMERS = 12

let test: TestDatabase
let telegram: FakeTelegram

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
})
afterAll(async () => {
  await telegram.close()
  await test.close()
})
/** Customers wait, and no server is running. */
beforeEach(async () => {
  await test.database.root.updateTable('turns').set({ status: 'done' }).execute()
  const world = new PipelineWorld(test.database, telegram)
  await world.start()
  const bot = await world.addBot('webhook', { buffer: { seconds: 100 } })
  for (let chat = 1; chat <= CUSTOMERS; chat++) telegram.customerSays(bot.token, chat, 'Hello')
  await telegram.waitFor(() => telegram.isQuiet(), 'the webhook')
  await world.pipeline.settle()
  await world.stop()
  await due()
})

const system = <Result>(run: Parameters<typeof test.database.system<Result>>[1]) =>
  test.database.system<Result>('test: a server', run)
const due = () =>
  system((db) => db.updateTable('turns').set({ not_before: sql`now()` }).where('status', '=', 'pending').execute())
const claim = (owner: number, maySuspect = true) =>
  system((db) => claimTurns({ db }, { owner, limit: 100, perOrganization: 100, fullOrganizations: [], maySuspect }))
const die = (owner: number) => system((db) => returnTurns({ db }, { deadOwners: [owner] }))
const end = ({ turnId }: Claim, status: TurnStatus = 'done') =>
  system((db) => db.updateTable('turns').set({ status }).where('id', '=', turnId).execute())
const turns = (status: TurnStatus) =>
  system((db) =>
    db.selectFrom('turns').select(['id', 'crashes', 'epoch']).where('status', '=', status).orderBy('id').execute(),
  )

/** Servers start one after the other, and each claims what it can get; the poison crashes it before anything else is done. */
async function live(poison: Id<'turns'>, servers: number): Promise<void> {
  for (let owner = FIRST_SERVER; owner < FIRST_SERVER + servers; owner++) {
    for (let claims = await claim(owner); claims.length > 0; claims = await claim(owner)) {
      if (claims.some(({ turnId }) => turnId === poison)) break
      for (const each of claims) await end(each)
    }
    await die(owner)
  }
}

it.each([0, 5, CUSTOMERS - 1])('at any place in the queue: %i', async (place) => {
  const pending = await turns('pending')
  expect(pending).toHaveLength(CUSTOMERS)
  const poison = pending[place]?.id
  if (!poison) throw new Error('no turn at this place')
  await live(poison, 8)
  expect(await turns('pending')).toEqual([{ id: poison, crashes: 8, epoch: 8 }])
})

it('is claimed by a server without another suspect, one at a time; turns above suspicion wait for none', async () => {
  const [first, ...others] = await turns('pending')
  await system((db) => db.updateTable('turns').set({ crashes: 3 }).where('status', '=', 'pending').execute())
  await system((db) =>
    db
      .updateTable('turns')
      .set({ crashes: 0 })
      .where('id', '=', first?.id ?? null)
      .execute(),
  )
  expect(await claim(FIRST_SERVER, false)).toMatchObject([{ turnId: first?.id }])
  expect(await claim(FIRST_SERVER)).toMatchObject([{ crashes: 3 }])
  expect(await turns('pending')).toHaveLength(others.length - 1)
})

it('is claimed however many others its organization has waiting before it', async () => {
  await system((db) => db.updateTable('turns').set({ crashes: 4 }).where('status', '=', 'pending').execute())
  const newest = (await turns('pending')).at(-1)
  await system((db) =>
    db
      .updateTable('turns')
      .set({ crashes: 3, not_before: sql`now() + interval '1 millisecond'` })
      .where('id', '=', newest?.id ?? null)
      .execute(),
  )
  const wanted = { owner: FIRST_SERVER, limit: 100, perOrganization: CUSTOMERS - 1, fullOrganizations: [] }
  await sleep(2)
  expect(await system((db) => claimTurns({ db }, { ...wanted, maySuspect: true }))).toMatchObject([
    { turnId: newest?.id },
  ])
})

it('no turn is suspected for having been stopped, or for a planned retry', async () => {
  for (let times = 0; times < 20; times++) {
    const claims = await claim(FIRST_SERVER)
    expect(claims).toHaveLength(CUSTOMERS)
    for (const each of claims) await system((db) => returnTurns({ db }, { claim: each, delayMs: 0 }))
  }
})

it('a turn that fails by accident waits twice as long each time, a minute at most', async () => {
  const waits: number[] = []
  const { id } = (await turns('pending'))[0] ?? {}
  for (let times = 0; times < 8; times++) {
    const taken = (await claim(FIRST_SERVER)).find(({ turnId }) => turnId === id)
    if (!taken) throw new Error('it was not taken')
    await system((db) => returnTurns({ db }, { claim: taken, delayMs: null }))
    const row = await system((db) =>
      db
        .selectFrom('turns')
        .select(sql<number>`round(extract(epoch from not_before - now()))::int`.as('wait'))
        .where('id', '=', taken.turnId)
        .executeTakeFirstOrThrow(),
    )
    waits.push(row.wait)
    await due()
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})
