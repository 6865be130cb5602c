// A server that dies at the worst moments, one at a time: the moment is chosen by what the world outside has just seen.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createMigratedDatabase } from '#tests/database.ts'
import { telegramMessenger } from './messengers.ts'
import { openWorld, type World } from './world.ts'

let world: World<Awaited<ReturnType<typeof telegramMessenger>>>
let drop: () => Promise<void>
let chat = 100

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
beforeEach(() => {
  chat++
  world.messenger.telegram.faults.answerDelayMs = 0
  world.model.reply(() => ({ text: `Re: c${chat}n1` }))
})

const says = () => world.messenger.telegram.customerSays(world.messenger.token, chat, `c${chat}n1`)

async function killAll(): Promise<void> {
  await Promise.all(world.servers.map((server) => server.kill()))
}
async function startAll(): Promise<void> {
  await Promise.all(world.servers.map((server) => server.start()))
}

it('right after it has acknowledged a message: the message is answered, once', async () => {
  world.model.reply(() => ({ failure: 'hang' }))
  const update = says()
  await world.messenger.telegram.waitFor(() => world.messenger.telegram.acknowledged.has(update), 'the acknowledgement')
  await killAll()
  world.model.reply(() => ({ text: `Re: c${chat}n1` }))
  await startAll()
  await world.messenger.telegram.waitForSent(chat, 1, 30_000)
})

it('while the model is writing: the message is answered, once', async () => {
  const asked = Promise.withResolvers<void>()
  world.model.reply(() => {
    asked.resolve()
    return { failure: 'hang' }
  })
  says()
  await asked.promise
  await killAll()
  world.model.reply(() => ({ text: `Re: c${chat}n1` }))
  await startAll()
  await world.messenger.telegram.waitForSent(chat, 1, 30_000)
})

it('while a send is under way: it is not repeated', async () => {
  world.messenger.telegram.faults.answerDelayMs = 60_000
  says()
  await world.messenger.telegram.waitForSent(chat)
  await killAll()
  world.messenger.telegram.faults.answerDelayMs = 0
  await startAll()
})

it('and leaves nothing doubled, lost or stuck, and one send of unknown outcome', async () => {
  world.model.reply(() => ({ text: `Re: c${chat}n1` }))
  says()
  await world.messenger.telegram.waitForSent(chat, 1, 30_000)
  // What a dead server held is taken over once it was looked for twice.
  await expect.poll(async () => (await world.evidence()).parts.map(({ status }) => status)).not.toContain('sending')
  await Promise.all(world.servers.map((server) => server.stop()))
  const { turns, parts, stored } = await world.evidence()
  expect(turns.map((turn) => turn.outcome)).toEqual(Array.from({ length: 4 }, () => 'replied'))
  expect(stored).toHaveLength(8)
  const states = parts.map(({ chatId, status }) => [Number(chatId), status])
  expect(states.sort()).toEqual([
    [chat - 3, 'sent'],
    [chat - 2, 'sent'],
    [chat - 1, 'unknown'],
    [chat, 'sent'],
  ])
  for (let each = chat - 3; each <= chat; each++) expect(world.messenger.telegram.sentTo(each)).toHaveLength(1)
})
