// Events that VK no longer delivers after a period without polling: the messages are read from the chats, completely, despite interruptions,
// and customers whom a person has answered are not answered again.
import { sql } from 'kysely'
import { afterAll, afterEach, expect, it, onTestFinished } from 'vitest'
import { readHealth } from '#server/domain/channels/health/health.store.ts'
import { EXTRACTIVE_MODEL } from '#shared/agents/models.ts'
import { api, startApp } from '#tests/app.ts'
import { openTestDatabase } from '#tests/database.ts'
import { type FakeCommunity, startFakeVk } from '#tests/fakes/vk/vk.ts'

const HOUR_MS = 3_600_000
const vk = await startFakeVk()
const NO_FAULTS = structuredClone(vk.faults)
/** Retries follow each other soon. */
const overrides = { waitShare: 0.05 }
const config = { vkApiUrl: vk.url, appSecret: 'the same at both starts, and long enough' }
let customerId = 1000
const anna = () => ({ id: customerId, name: 'Anna Smirnova', screenName: `anna${customerId}` })
const other = (number: number) => ({ id: 50_000 + number, name: `Customer ${number}` })

afterEach(() => {
  customerId++
  vk.faults = structuredClone(NO_FAULTS)
})
afterAll(() => vk.close())

/** A server that polls VK, and a customer who was answered hours ago. */
async function answeredOnce() {
  const database = await openTestDatabase()
  const app = await startApp({ database, config, overrides })
  const owner = await app.signUp()
  const { _id } = await owner.http.mutation(api.agents.create, { name: 'Helper', model: EXTRACTIVE_MODEL })
  const mine = vk.addCommunity()
  const entered = { token: mine.token }
  const made = await owner.http.action(api.channels.messengers.provision, { agentId: _id, channel: 'vk', entered })
  vk.customerSays(mine.groupId, anna(), 'Hello')
  await vk.waitFor(() => vk.sentTo(customerId).length === 1, 'the answer')
  await app.settle()
  const { root } = database.database
  const { organization_id: organizationId } = await root
    .selectFrom('channel_connections')
    .where('id', '=', made._id)
    .select('organization_id')
    .executeTakeFirstOrThrow()
  const health = () =>
    database.database.organization(organizationId, (db) => readHealth({ db, organizationId }, made._id))
  const heard = async () => {
    const fromCustomer = root.selectFrom('messages').where('author', '=', 'customer').select('text').orderBy('sequence')
    return (await fromCustomer.execute()).map(({ text }) => text)
  }
  /** Moves everything hours into the past. */
  const age = async () => {
    for (const message of mine.history) message.date -= 5 * 3600
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS)
    await root
      .updateTable('channel_connections')
      .set({ linked_at: ago(6), last_inbound_at: ago(5) })
      .execute()
  }
  return { database, root, app, mine, health, heard, age }
}
type World = Awaited<ReturnType<typeof answeredOnce>>

/** Then a period without polling, after which VK has dropped the events of an hour ago. */
async function afterAWhile(meanwhile: (mine: FakeCommunity, world: World) => void | Promise<void>) {
  const world = await answeredOnce()
  const { database, app: first, mine, health } = world
  await first.close()
  await world.age()
  const before = (await health()).recovered
  const known = mine.history.length
  await meanwhile(mine, world)
  for (const message of mine.history.slice(known)) message.date -= 3600
  vk.forgetEvents(mine.groupId)
  const second = await startApp({ database, config, overrides })
  onTestFinished(async () => {
    vk.faults.historyToFail.count = 0
    await second.settle()
    await second.close()
    await database.close()
  })
  return { ...world, second, before }
}

it('is read from the chats and answered once, and counts as recovered', async () => {
  const { mine, second, health, before } = await afterAWhile(({ groupId }) => {
    vk.customerSays(groupId, anna(), 'Is anybody there?')
  })
  await vk.waitFor(() => vk.sentTo(customerId).length === 2, 'the other answer')
  await expect.poll(async () => (await health()).recovered, { timeout: 20_000 }).toBe(before + 1)
  vk.customerSays(mine.groupId, anna(), 'Thank you')
  await vk.waitFor(() => vk.sentTo(customerId).length === 3, 'the third answer')
  await second.settle()
  expect(vk.sentTo(customerId)).toHaveLength(3)
  expect((await health()).missed).toBeNull()
})

it('and VK does not let us read is reported to members with its time range; later messages are answered', async () => {
  const { mine, health } = await afterAWhile(({ groupId }) => {
    vk.customerSays(groupId, anna(), 'Is anybody there?')
    vk.faults.historyToFail = { count: 1, code: 917 }
  })
  const missed = async () => (await health()).missed
  await expect.poll(missed, { timeout: 20_000 }).toEqual({ since: expect.any(Number), until: expect.any(Number) })
  const { since = 0, until = 0 } = (await missed()) ?? {}
  expect(since).toBeLessThan(until)
  vk.customerSays(mine.groupId, anna(), 'Hello again')
  await vk.waitFor(() => vk.sentTo(customerId).length === 2, 'the answer to what came then')
})

it('and VK fails to return is read a little later', async () => {
  const { health } = await afterAWhile(({ groupId }) => {
    vk.customerSays(groupId, anna(), 'Is anybody there?')
    vk.faults.historyToFail = { count: 1, code: 10 }
  })
  await vk.waitFor(() => vk.sentTo(customerId).length === 2, 'the other answer')
  expect((await health()).missed).toBeNull()
})

it('is read completely despite an interruption half-way that has already moved the last inbound time', async () => {
  const { heard, root, health } = await afterAWhile(async ({ groupId }, { root }) => {
    vk.customerSays(groupId, other(1), 'The first')
    vk.customerSays(groupId, other(2), 'The second')
    await sql`create function refuse() returns trigger language plpgsql as $$ begin
      if new.payload::text like '%The second%' then raise exception 'the database has trouble'; end if; return new; end $$`.execute(
      root,
    )
    await sql`create trigger refusing before insert on inbound_events for each row execute function refuse()`.execute(
      root,
    )
  })
  const lastHeard = async () =>
    (await root.selectFrom('channel_connections').select('last_inbound_at as at').executeTakeFirst())?.at?.getTime()
  await expect.poll(heard, { timeout: 20_000 }).toContain('The first')
  await expect.poll(lastHeard, { timeout: 20_000 }).toBeGreaterThan(Date.now() - HOUR_MS)
  await sql`drop trigger refusing on inbound_events`.execute(root)
  await expect.poll(heard, { timeout: 30_000 }).toContain('The second')
  expect((await health()).missed).toBeNull()
})

it('is retried when VK fails, however often VK was unreachable before', async () => {
  const { app, database, mine, health, age } = await answeredOnce()
  onTestFinished(async () => {
    await app.settle()
    await app.close()
    await database.close()
  })
  await age()
  // Each try makes two requests.
  vk.faults.lostPolls = [2, 2, 2, 2, 2, 2]
  vk.customerSays(mine.groupId, other(3), 'Ends the wait')
  await expect.poll(() => vk.faults.lostPolls.length, { timeout: 40_000 }).toBe(0)
  vk.faults.historyToFail = { count: 1, code: 10 }
  vk.customerSays(mine.groupId, anna(), 'Is anybody there?')
  vk.forgetEvents(mine.groupId)
  await expect.poll(() => vk.sentTo(customerId).length, { timeout: 40_000 }).toBe(2)
  expect((await health()).missed).toBeNull()
}, 90_000)

it('and VK fails to return until the last try is stored as far as it was read', async () => {
  let mayFail = false
  const { heard, health } = await afterAWhile(({ groupId }) => {
    vk.customerSays(groupId, anna(), 'Is anybody there?')
    vk.customerSays(groupId, other(4), 'Good morning')
    mayFail = true
    // The list of chats and the first chat are read; then VK fails, each time.
    let pages = 0
    vk.afterPage = () => {
      if (mayFail && ++pages % 2 === 0) vk.faults.historyToFail = { count: 1, code: 10 }
    }
  })
  onTestFinished(() => {
    mayFail = false
  })
  const missed = async () => (await health()).missed
  await expect.poll(missed, { timeout: 40_000 }).not.toBeNull()
  expect(await heard()).toEqual(['Hello', 'Good morning'])
}, 60_000)

it('and a person has answered at VK meanwhile is not answered again, and is stored in order', async () => {
  const { root, mine, second } = await afterAWhile(({ groupId }) => {
    vk.customerSays(groupId, other(10), 'Are you open on Sunday?')
    vk.customerSays(groupId, anna(), 'Is anybody there?')
    vk.operatorSays(groupId, other(10).id, 'Yes, from ten')
  })
  const chat = root.selectFrom('conversations').where('external_chat_id', '=', String(other(10).id))
  const authorsAndTexts = async () => {
    const messages = root.selectFrom('messages').where('conversation_id', 'in', chat.select('id'))
    return (await messages.select(['author', 'text']).orderBy('sequence').execute()).map(({ author, text }) => [
      author,
      text,
    ])
  }
  await vk.waitFor(() => vk.sentTo(customerId).length === 2, 'the answer to the customer without one')
  const answered = [
    ['customer', 'Are you open on Sunday?'],
    ['operator', 'Yes, from ten'],
  ]
  await expect.poll(authorsAndTexts, { timeout: 20_000 }).toEqual(answered)
  await second.settle()
  const turns = root.selectFrom('turns').where('conversation_id', 'in', chat.select('id'))
  expect(await turns.select(['kind', 'status']).execute()).toEqual([])
  vk.customerSays(mine.groupId, other(10), 'Thank you')
  await expect.poll(authorsAndTexts, { timeout: 20_000 }).toEqual([...answered, ['customer', 'Thank you']])
  await second.settle()
  expect(await chat.select('status').execute()).toEqual([{ status: 'paused' }])
  expect(vk.sentTo(other(10).id)).toEqual([])
})
