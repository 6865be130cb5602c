// Whatever a provider posts is taken and kept aside: it waits with everything else until it is.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomSecret, seal } from '#server/domain/channels/connections/access.ts'
import { insertConnection, setConnected } from '#server/domain/channels/connections/connections.store.ts'
import { greenApiToken } from '#server/integrations/channels/green-api/green-api.access.ts'
import { newId } from '#server/platform/lib/ids.ts'
import type { Id } from '#shared/ids.ts'
import { GREEN_API_POISON, TELEGRAM_POISON } from '#tests/chaos/poison.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import { type FakeTelegram, startFakeTelegram } from '#tests/fakes/telegram/telegram.ts'
import { type Bot, PipelineWorld } from '#tests/pipeline-world.ts'

const INSTANCE = '7103123456'
const CHAT = 77

let test: TestDatabase
let telegram: FakeTelegram
let world: PipelineWorld
let bot: Bot

beforeAll(async () => {
  test = await openTestDatabase()
  telegram = await startFakeTelegram()
  world = new PipelineWorld(test.database, telegram)
  await world.start()
  bot = await world.addBot()
})
afterAll(async () => {
  await world.stop()
  await telegram.close()
  await test.close()
})

async function statuses(connectionId: Id<'channelConnections'>): Promise<string[]> {
  const kept = await world.read((db) =>
    db.selectFrom('inbound_events').where('connection_id', '=', connectionId).select('status').execute(),
  )
  return kept.map(({ status }) => status)
}

/** How the door answers each body, by name. */
async function postAll(url: string, headers: Record<string, string>, bodies: { name: string; body: string }[]) {
  const answers: Record<string, number> = {}
  for (const { name, body } of bodies) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    })
    answers[name] = response.status
  }
  return answers
}

/** JSON of any depth: what one stack still holds is too deep for another. */
function depths(number: number) {
  return [300, 1000, 2000, 3000, 3500, 4000, 4500, 5000, 6000].map((depth) => ({
    name: `${depth} deep`,
    body: `{"update_id":${number + depth},"telepathy":${'['.repeat(depth)}${']'.repeat(depth)}}`,
  }))
}

it('200 and aside for everything that comes from Telegram, and the next good message is answered', async () => {
  const webhook = telegram.bot(bot.token).webhook ?? { url: '', secret: '' }
  const bodies = [...TELEGRAM_POISON.map((make, number) => make(String(CHAT), number)), ...depths(7_000_000_000)]
  const headers = { 'x-telegram-bot-api-secret-token': webhook.secret }
  const answers = await postAll(webhook.url, headers, bodies)
  expect(answers).toEqual(Object.fromEntries(bodies.map(({ name }) => [name, 200])))
  expect(await statuses(bot.connectionId)).toEqual(bodies.map(() => 'quarantined'))
  await postAll(webhook.url, headers, bodies)
  expect(await statuses(bot.connectionId)).toHaveLength(bodies.length)
  telegram.customerSays(bot.token, CHAT, 'Hello')
  await telegram.waitForSent(CHAT)
})

it('200 and aside for everything that comes from GREEN-API', async () => {
  const id = newId('channelConnections')
  const webhookPath = randomSecret()
  const token = greenApiToken({ apiUrl: 'http://127.0.0.1:9', idInstance: INSTANCE, apiToken: 'none' })
  const credentials = { token, webhookSecret: randomSecret() }
  const { organizationId, agentId } = bot
  await test.database.organization(organizationId, async (db) => {
    const ctx = { db, organizationId }
    const account = { identifier: '77000000000', externalAccountId: INSTANCE, webhookPath, tokenTail: 'none' }
    const sealed = seal(world.services.secrets, id, credentials)
    const way = { channel: 'whatsapp', delivery: 'webhook', state: 'authorized' } as const
    await insertConnection(ctx, { ...sealed, ...account, ...way, organizationId, agentId }, new Date())
    await setConnected(ctx, id, new Date())
  })
  const bodies = [...GREEN_API_POISON.map((make, number) => make(INSTANCE, number)), ...depths(0)]
  const headers = { authorization: `Bearer ${credentials.webhookSecret}` }
  const answers = await postAll(`${world.url}/webhooks/whatsapp/${webhookPath}`, headers, bodies)
  expect(answers).toEqual(Object.fromEntries(bodies.map(({ name }) => [name, 200])))
  expect(await statuses(id)).toEqual(bodies.map(() => 'quarantined'))
})

it('aside for what is asked for, and the next good message is answered', async () => {
  const polled = await world.addBot('polling')
  const bodies = [...TELEGRAM_POISON.map((make, number) => make(String(CHAT), number)), ...depths(7_000_000_000)]
  const updates = bodies.flatMap(({ body }) => (body.startsWith('{"update_id":') ? parsed(body) : []))
  for (const update of updates) telegram.push(polled.token, update)
  telegram.customerSays(polled.token, CHAT, 'Hello')
  await telegram.waitFor(() => telegram.sentTo(CHAT).some((message) => message.token === polled.token), 'the answer')
  const kept = await statuses(polled.connectionId)
  expect(kept.filter((status) => status === 'quarantined')).toHaveLength(updates.length)
})

/** Nothing where the body is no JSON, which no poll is answered with, or too deep for the fake to write it. */
function parsed(body: string): { update_id: number }[] {
  if (['[', '{"a":'].some((opening) => body.includes(opening.repeat(2000)))) return []
  try {
    return [JSON.parse(body) as { update_id: number }]
  } catch {
    return []
  }
}
