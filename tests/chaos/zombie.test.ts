// A server that freezes during a turn, loses the turn to another one, and resumes: it writes nothing any more. Needs two servers, so
// PostgreSQL. Servers frozen for longer than a lease under load: `npm run chaos -- 20 postgres freeze`.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Failpoint } from '#server/platform/lib/failpoints.ts'
import { createMigratedDatabase } from '#tests/database.ts'
import { telegramMessenger } from './messengers.ts'
import { openWorld, type World } from './world.ts'

/** The zombie has received its answers long before, on however busy a machine; too short a time cannot make the test fail. */
const AWAKE_MS = 3000
const MOMENTS: Failpoint[] = ['turn-read']

let world: World<Awaited<ReturnType<typeof telegramMessenger>>>
let drop: () => Promise<void>
let chat = 0

beforeAll(async () => {
  const fresh = await createMigratedDatabase()
  drop = fresh.drop
  const open = (origins: () => string[]) => telegramMessenger({ delivery: 'webhook', faults: [], origins })
  world = await openWorld({ databaseUrl: fresh.url, delivery: 'webhook' }, open)
})
afterAll(async () => {
  await world.close()
  await drop()
})

/** All rows of the chats, down to the transaction that wrote them, except the cost of the zombie's own model call. */
async function written(conversations: string[]): Promise<unknown[]> {
  let rows: unknown[] = []
  await world.alter(async (db) => {
    const found = await sql`
      select 'turn' as what, id, xmin::text as by, status from turns where conversation_id = any (${conversations}::text[])
      union all select 'message', id, xmin::text, author from messages where conversation_id = any (${conversations}::text[])
      union all select 'part', id, xmin::text, status from outbox where conversation_id = any (${conversations}::text[])
      union all select 'usage', u.source_id, u.xmin::text, u.category from usage_events u
        join turns t on t.id = split_part(u.source_id, '/', 1) where u.messages > 0 and t.conversation_id = any (${conversations}::text[])
      order by 1, 2`.execute(db)
    rows = found.rows
  })
  return rows
}

/** Expires the leases of running turns, as half a minute would. @returns their conversations and chats */
async function lapse(): Promise<{ id: string; chat: number }[]> {
  let held: { id: string; chat: number }[] = []
  await world.alter(async (db) => {
    const found = await sql<{ id: string; chat: number }>`
      update turns t set lease_until = now() - interval '1 second' from conversations c
      where t.status = 'running' and c.id = t.conversation_id returning c.id, c.external_chat_id::int as chat`.execute(
      db,
    )
    held = found.rows
  })
  return held
}

it.each(MOMENTS)(
  'frozen at "%s", it writes nothing after its turn was taken over',
  async (moment) => {
    const [zombie] = world.servers
    if (!zombie) throw new Error('there is no server')
    await zombie.stop()
    await zombie.start(`freeze@${moment}`)
    while (!zombie.isStandingStill) {
      world.messenger.say(chat, `c${chat}n0`)
      chat++
      await sleep(200)
    }
    zombie.freeze() // nothing is delivered to it any more
    await sleep(1000) // the other server has answered by then
    const held = await lapse()
    expect(held.length).toBeGreaterThan(0)
    for (const { chat: taken } of held) await world.messenger.telegram.waitForSent(taken, 1, 15_000)
    await sleep(1000) // the send is recorded by then
    const conversations = held.map(({ id }) => id)
    const before = await written(conversations)
    zombie.thaw()
    await expect.poll(() => zombie.isReady()).toBe(true)
    await sleep(AWAKE_MS)
    expect(await written(conversations)).toEqual(before)
    for (const { chat: taken } of held) expect(world.messenger.telegram.sentTo(taken)).toHaveLength(1)
  },
  60_000,
)
