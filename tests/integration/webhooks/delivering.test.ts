// What happens to events while receivers fail, are slow, are gone or lead into the own network: each arrives once, in order, or is listed.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { tidyWebhooks, watchWebhooks } from '#server/domain/webhooks/webhooks.job.ts'
import { createOutbound, OutboundError } from '#server/integrations/http/outbound.ts'
import type { Id } from '#shared/ids.ts'
import { api, startApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'
import type { Received } from '#tests/fakes/webhook-receiver.ts'
import { type Subscribed, type WebhookShop, WebhooksWorld } from '#tests/webhooks-world.ts'

const FIRST = { paginationOpts: { numItems: 100, cursor: null } }
/** Names that lead into the own network; a test moves a name here. */
const internal = new Set<string>()

let database: TestDatabase
let world: WebhooksWorld
let shop: WebhookShop
let hook: Subscribed

const outbound = createOutbound({
  resolve: async (host) => [internal.has(host) ? '10.0.0.1' : '127.0.0.1'],
  isAllowed: (address) => address === '127.0.0.1',
})

beforeAll(async () => {
  database = await openTestDatabase()
  world = await WebhooksWorld.open({ outbound, database })
})
afterAll(async () => {
  await world.close()
  await database.close()
})
beforeEach(async () => {
  shop = await world.openShop()
  hook = await world.subscribe(shop, { types: ['message.incoming'] })
})

const endpoint = async (of: Subscribed = hook, { owner }: WebhookShop = shop) => {
  const found = (await owner.http.query(api.webhooks.list, {})).find(({ _id }) => _id === of.endpointId)
  if (!found) throw new Error('the endpoint is not listed')
  return found
}
const log = async (state?: 'waiting' | 'delivered' | 'dead', of: Subscribed = hook) =>
  (
    await shop.owner.http.query(api.webhooks.deliveries, {
      endpointId: of.endpointId,
      ...(state && { state }),
      ...FIRST,
    })
  ).page
const textOf = ({ data }: Received) => (data.message as { text: string }).text
const texts = (events: Received[]) => events.map(textOf)

describe('an endpoint that fails for six hours', () => {
  it('gets every event once afterwards, in the order of each conversation', async () => {
    const chats = [world.newChat(), world.newChat(), world.newChat()]
    hook.receiver.answer = () => 503
    for (const round of [1, 2, 3, 4]) {
      for (const chat of chats) await world.says(shop, chat, `${chat} ${round}`)
      await world.pass(90)
    }
    expect(hook.receiver.taken).toEqual([])
    expect(await endpoint()).toMatchObject({ state: 'on', failingSince: expect.any(Number) })
    hook.receiver.answer = () => 204
    await world.pass(15)
    expect(hook.receiver.taken).toHaveLength(12)
    expect(new Set(hook.receiver.taken.map(({ id }) => id)).size).toBe(12)
    for (const chat of chats) {
      const own = texts(hook.receiver.taken).filter((text) => text.startsWith(String(chat)))
      expect(own).toEqual([1, 2, 3, 4].map((round) => `${chat} ${round}`))
    }
    expect(await endpoint()).toMatchObject({ state: 'on', failingSince: null, retryAt: null })
    expect((await log()).map(({ state }) => state)).toEqual(Array(12).fill('delivered'))
  })

  it('is tried at its own pace, not once for each event', async () => {
    hook.receiver.answer = () => 500
    for (let n = 0; n < 10; n++) await world.says(shop, world.newChat(), 'Hello')
    const first = hook.receiver.requests.length
    expect(first).toBeLessThanOrEqual(8) // until three have failed, and what was under way with them
    await world.pass(360)
    expect(hook.receiver.requests.length - first).toBeLessThanOrEqual(360 / 15 + 1)
  })
})

it('one event that is refused holds up its own conversation alone, and is listed when it is given up', async () => {
  const [bad, good] = [world.newChat(), world.newChat()]
  hook.receiver.answer = (event) => (textOf(event) === 'poison' ? { status: 400, body: 'No such field' } : 204)
  await world.says(shop, bad, 'poison')
  await world.says(shop, bad, 'behind it')
  await world.says(shop, good, 'elsewhere')
  expect(texts(hook.receiver.taken)).toEqual(['elsewhere'])
  await world.pass(25 * 60, 30)
  await world.pass(5 * 60, 60)
  expect(texts(hook.receiver.taken)).toEqual(['elsewhere', 'behind it'])
  const [dead] = await log('dead')
  expect(dead).toMatchObject({ state: 'dead', lastStatus: 400, lastError: 'status' })
  expect(dead?.attempts).toBeGreaterThanOrEqual(8)
  const { log: attempts, body } = await shop.owner.http.query(api.webhooks.delivery, {
    deliveryId: dead?._id as Id<'webhookDeliveries'>,
  })
  expect(attempts[0]).toMatchObject({ status: 400, error: 'status', answer: 'No such field' })
  expect(JSON.parse(body)).toMatchObject({ type: 'message.incoming', data: { message: { text: 'poison' } } })

  hook.receiver.answer = () => 200
  await shop.owner.http.mutation(api.webhooks.replay, { deliveryId: dead?._id as Id<'webhookDeliveries'> })
  await world.app.settle()
  expect(texts(hook.receiver.taken)).toEqual(['elsewhere', 'behind it', 'poison'])
  expect(hook.receiver.taken.at(-1)?.id).toBe(dead?.eventId)
  expect(await log('dead')).toEqual([])
})

it('all that were given up are replayed together, each conversation in its order', async () => {
  const chat = world.newChat()
  hook.receiver.answer = () => 204
  for (const text of ['1', '2', '3']) await world.says(shop, chat, text)
  await world.says(shop, world.newChat(), 'other')
  hook.receiver.taken.length = 0
  await sql`update webhook_deliveries set state = 'dead' where endpoint_id = ${hook.endpointId}`.execute(
    world.app.database.root,
  )
  expect(await shop.owner.http.query(api.webhooks.counts, { endpointId: hook.endpointId })).toMatchObject({ dead: 4 })
  expect(await shop.owner.http.mutation(api.webhooks.replayDead, { endpointId: hook.endpointId })).toEqual({
    events: 4,
  })
  await world.app.settle()
  expect(texts(hook.receiver.taken).filter((text) => text !== 'other')).toEqual(['1', '2', '3'])
  expect(hook.receiver.taken).toHaveLength(4)
})

describe('an attempt whose outcome was not recorded', () => {
  it('is repeated under the same id by another server, and the one that was thought dead changes nothing', async () => {
    const arrived = Promise.withResolvers<void>()
    const thaw = Promise.withResolvers<void>()
    hook.receiver.answer = async () => {
      if (hook.receiver.requests.length > 1) return 204
      arrived.resolve()
      await thaw.promise
      return 500
    }
    const saying = world.says(shop, world.newChat(), 'Hello')
    await arrived.promise
    await sql`update webhook_queues set lease_until = now() - interval '1 second' where endpoint_id = ${hook.endpointId}`.execute(
      world.app.database.root,
    )
    const second = await startApp({ database, overrides: { outbound } })
    try {
      await hook.receiver.waitForTaken(1)
      await second.settle()
    } finally {
      await second.close()
    }
    thaw.resolve()
    await saying
    expect(new Set(hook.receiver.requests.map(({ id }) => id)).size).toBe(1)
    expect(hook.receiver.requests).toHaveLength(2)
    expect(await log()).toMatchObject([{ state: 'delivered', attempts: 1, lastStatus: 204 }])
    expect(await endpoint()).toMatchObject({ failingSince: null })
  })
})

it('every attempt has the same id and the same bytes, and is signed at its own time', async () => {
  hook.receiver.answer = () => 500
  await world.says(shop, world.newChat(), 'Hello')
  await world.pass(60)
  const { requests, forged } = hook.receiver
  expect(requests.length).toBeGreaterThan(3)
  expect(new Set(requests.map(({ id }) => id)).size).toBe(1)
  expect(new Set(requests.map(({ body }) => body)).size).toBe(1)
  expect(forged).toBe(0)
})

it('a deleted endpoint is tried no more', async () => {
  hook.receiver.answer = () => 500
  await world.says(shop, world.newChat(), 'Hello')
  await shop.owner.http.mutation(api.webhooks.remove, { endpointId: hook.endpointId })
  const { length } = hook.receiver.requests
  await world.pass(60)
  expect(hook.receiver.requests).toHaveLength(length)
})

describe('addresses inside the own network', () => {
  const settings = { description: '', types: ['message.incoming' as const], perMinute: null }
  it.each([
    ['an internal address', 'http://10.1.2.3/hook', 'webhook_url_internal'],
    ['the metadata of a cloud', 'http://169.254.169.254/latest', 'webhook_url_internal'],
    ['IPv6 of this machine', 'http://[::1]/hook', 'webhook_url_internal'],
    ['an internal address inside IPv6', 'http://[::ffff:10.0.0.1]/hook', 'webhook_url_internal'],
    ['an internal address as one number', 'http://167772161/hook', 'webhook_url_internal'],
    ['an internal address in hexadecimal', 'http://0x0a000001/hook', 'webhook_url_internal'],
    ['a password', 'http://me:secret@shop.example/hook', 'webhook_url_invalid'],
    ['another scheme', 'file:///etc/passwd', 'webhook_url_invalid'],
    ['nothing', 'shop', 'webhook_url_invalid'],
  ])('%s is refused', async (_, url, code) => {
    const { http } = shop.owner
    await expect(http.action(api.webhooks.create, { ...settings, url })).rejects.toMatchObject({ data: { code } })
    await expect(
      http.action(api.webhooks.update, { ...settings, url, endpointId: hook.endpointId }),
    ).rejects.toMatchObject({ data: { code } })
  })

  it('a name is refused when it is entered, and at each attempt once it leads inside', async () => {
    const { http } = shop.owner
    const port = new URL(hook.receiver.url).port
    const url = `http://hooks.example:${port}/hook`
    internal.add('hooks.example')
    await expect(http.action(api.webhooks.create, { ...settings, url })).rejects.toMatchObject({
      data: { code: 'webhook_url_internal' },
    })
    internal.delete('hooks.example')
    await http.action(api.webhooks.update, { ...settings, url, endpointId: hook.endpointId })
    const chat = world.newChat()
    await world.says(shop, chat, 'outside')
    internal.add('hooks.example')
    await world.says(shop, chat, 'inside')
    expect(texts(hook.receiver.requests)).toEqual(['outside'])
    expect(await log('waiting')).toMatchObject([{ lastStatus: null, lastError: 'address_refused' }])
    internal.delete('hooks.example')
  })

  it('a redirect is no way inside', async () => {
    const other = await world.subscribe(shop, { types: [] as never[] }).catch(() => null)
    expect(other).toBeNull() // no types: refused
    hook.receiver.answer = () => ({ status: 302, headers: { location: `${hook.receiver.url}/elsewhere` } })
    await world.says(shop, world.newChat(), 'Hello')
    expect(hook.receiver.requests.map(({ path }) => path)).toEqual(['/hook'])
    expect(await log()).toMatchObject([{ state: 'waiting', lastStatus: 302 }])
  })

  it('only https is taken where Parley itself is reached by it', async () => {
    const safe = await startApp({
      overrides: { outbound },
      config: { publicUrl: 'https://parley.example', hasPublicUrl: true },
    })
    try {
      const person = await safe.signUp()
      const made = person.http.action(api.webhooks.create, { ...settings, url: 'http://shop.example/hook' })
      await expect(made).rejects.toMatchObject({ data: { code: 'webhook_url_insecure' } })
    } finally {
      await safe.close()
    }
  })
})

describe('receivers that answer something else', () => {
  it('410: the endpoint is disabled at once, its events wait, and it goes on when it is switched on', async () => {
    hook.receiver.answer = () => 410
    await world.says(shop, world.newChat(), 'Hello')
    expect(await endpoint()).toMatchObject({ state: 'disabled', disabledReason: 'gone' })
    await world.says(shop, world.newChat(), 'More')
    await world.pass(600, 300)
    expect(hook.receiver.requests).toHaveLength(1)
    hook.receiver.answer = () => 204
    await shop.owner.http.mutation(api.webhooks.setOn, { endpointId: hook.endpointId, isOn: true })
    await world.pass(15)
    expect(texts(hook.receiver.taken).toSorted()).toEqual(['Hello', 'More'])
  })

  it('Retry-After is honoured', async () => {
    hook.receiver.answer = () => ({ status: 429, headers: { 'retry-after': '3600' } })
    await world.says(shop, world.newChat(), 'Hello')
    const { retryAt } = await endpoint()
    expect(retryAt).toBeGreaterThan(Date.now() + 3_500_000)
    await world.pass(45)
    expect(hook.receiver.requests).toHaveLength(1)
    hook.receiver.answer = () => 204
    await world.pass(30)
    expect(hook.receiver.taken).toHaveLength(1)
  })

  it('of an endless answer the beginning is kept', async () => {
    hook.receiver.answer = () => ({ status: 500, body: 'x'.repeat(1_000_000) })
    await world.says(shop, world.newChat(), 'Hello')
    const [delivery] = await log()
    const details = await shop.owner.http.query(api.webhooks.delivery, {
      deliveryId: delivery?._id as Id<'webhookDeliveries'>,
    })
    expect(details.log[0]?.answer).toBe('x'.repeat(1000))
  })

  it('five days of failures disable the endpoint, and a letter says so', async () => {
    hook.receiver.answer = () => 500
    await world.says(shop, world.newChat(), 'Hello')
    await world.pass(4 * 24 * 60, 24 * 60)
    expect(await endpoint()).toMatchObject({ state: 'on' })
    await world.pass(2 * 24 * 60, 24 * 60)
    expect(await endpoint()).toMatchObject({ state: 'disabled', disabledReason: 'failing' })
    const letters = await world.app.database.root
      .selectFrom('letters')
      .where('recipient', '=', shop.owner.email)
      .select('kind')
      .execute()
    expect(letters.filter(({ kind }) => kind === 'webhook-disabled')).toHaveLength(1)
  })
})

it('the hanging endpoints of one organization do not delay another', async () => {
  const thaw = Promise.withResolvers<number>()
  const others = [
    hook,
    await world.subscribe(shop, { types: ['message.incoming'] }),
    await world.subscribe(shop, { types: ['message.incoming'] }),
  ]
  for (const { receiver } of others) receiver.answer = () => thaw.promise
  const saying = Array.from({ length: 12 }, () => world.says(shop, world.newChat(), 'Hello'))
  await expect
    .poll(() => others.flatMap(({ receiver }) => receiver.requests).length, { timeout: 20_000 })
    .toBeGreaterThanOrEqual(10)
  await sleep(500)
  expect(others.flatMap(({ receiver }) => receiver.requests)).toHaveLength(10) // the most of one organization
  expect(Math.max(...others.map(({ receiver }) => receiver.requests.length))).toBeLessThanOrEqual(5)
  const quick = await world.openShop()
  const theirs = await world.subscribe(quick, { types: ['message.incoming'] })
  void world.says(quick, world.newChat(), 'Hi').catch(() => undefined)
  await theirs.receiver.waitForTaken(1) // while all of the first hang
  expect(others.flatMap(({ receiver }) => receiver.taken)).toEqual([])
  thaw.resolve(204)
  await Promise.all(saying)
})

it('a pace is kept', async () => {
  const paced = await world.subscribe(shop, { types: ['message.incoming'], perMinute: 2 })
  for (let n = 0; n < 5; n++) await world.says(shop, world.newChat(), 'Hello')
  expect(paced.receiver.taken).toHaveLength(2)
  await world.pass(1, 1)
  await world.moveBack(1)
  await world.app.settle()
  expect(paced.receiver.taken.length).toBeGreaterThanOrEqual(4)
})

describe('secrets', () => {
  it('two are valid at once for a day after a rotation', async () => {
    const [old] = hook.receiver.secrets
    const { secret } = await shop.owner.http.action(api.webhooks.rotateSecret, { endpointId: hook.endpointId })
    const chat = world.newChat()
    for (const known of [old, secret]) {
      hook.receiver.secrets = [String(known)]
      await world.says(shop, chat, `known ${known}`)
    }
    expect(hook.receiver.taken).toHaveLength(2)
    hook.receiver.secrets = [String(old)]
    await world.moveBack(24 * 60 + 1)
    await world.says(shop, chat, 'too late for the old one')
    expect(hook.receiver.forged).toBe(1)
    hook.receiver.secrets = [secret]
    await world.pass(15)
    expect(hook.receiver.taken).toHaveLength(3)
  })

  it('are stored encrypted, and shown in no list', async () => {
    const [secret] = hook.receiver.secrets
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const row = await world.app.database.root
      .selectFrom('webhook_endpoints')
      .where('id', '=', hook.endpointId)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(secret?.slice(6))
    expect(JSON.stringify(await endpoint())).not.toMatch(/whsec|v1\./)
  })
})

describe('what is kept', () => {
  it('events of a customer go with them, sent and unsent', async () => {
    const chat = world.newChat()
    await world.says(shop, chat, 'my secret words')
    hook.receiver.answer = () => ({ status: 500, body: 'my secret words?' })
    await world.says(shop, chat, 'more secret words')
    const conversation = await world.app.database.root
      .selectFrom('conversations')
      .where('external_chat_id', '=', String(chat))
      .select('customer_id')
      .executeTakeFirstOrThrow()
    await shop.owner.http.mutation(api.conversations.contacts.erase, {
      customerId: conversation.customer_id as Id<'customers'>,
    })
    await world.app.settle()
    for (const table of ['webhook_events', 'webhook_deliveries', 'webhook_attempts'] as const) {
      const rows = await world.app.database.root
        .selectFrom(table)
        .where('organization_id', '=', shop.organizationId)
        .selectAll()
        .execute()
      expect(JSON.stringify(rows)).not.toContain('secret words')
    }
    hook.receiver.answer = () => 204
    await world.pass(15)
    expect(texts(hook.receiver.taken)).toEqual(['my secret words'])
    await world.says(shop, world.newChat(), 'another customer')
    expect(texts(hook.receiver.taken).at(-1)).toBe('another customer')
  })

  it('nothing while an endpoint is off', async () => {
    const { http } = shop.owner
    await http.mutation(api.webhooks.setOn, { endpointId: hook.endpointId, isOn: false })
    await world.says(shop, world.newChat(), 'unheard')
    await http.mutation(api.webhooks.setOn, { endpointId: hook.endpointId, isOn: true })
    await world.says(shop, world.newChat(), 'heard')
    expect(texts(hook.receiver.taken)).toEqual(['heard'])
    await http.mutation(api.webhooks.setOn, { endpointId: hook.endpointId, isOn: false })
    await http.mutation(api.webhooks.sendTest, { endpointId: hook.endpointId })
    await world.app.settle()
    expect(hook.receiver.taken).toHaveLength(1)
    await http.mutation(api.webhooks.setOn, { endpointId: hook.endpointId, isOn: true })
    await world.app.settle()
    expect(hook.receiver.taken.map(({ type }) => type)).toEqual(['message.incoming', 'webhook.test'])
  })

  it('no more than a bounded number of events waits, and the endpoint says since when', async () => {
    hook.receiver.answer = () => 500
    await world.says(shop, world.newChat(), 'Hello')
    await sql`insert into webhook_deliveries (organization_id, endpoint_id, event_id, type, subject)
      select d.organization_id, d.endpoint_id, d.event_id, d.type, d.subject from webhook_deliveries d, generate_series(1, 9999)
      where d.endpoint_id = ${hook.endpointId}`.execute(world.app.database.root)
    await watchWebhooks(world.app.database)
    expect(await endpoint()).toMatchObject({ fullSince: expect.any(Number) })
    const count = () => shop.owner.http.query(api.webhooks.counts, { endpointId: hook.endpointId })
    expect(await count()).toEqual({ waiting: 1000, dead: 0, max: 1000 })
    await world.says(shop, world.newChat(), 'too much')
    const { page } = await shop.owner.http.query(api.webhooks.deliveries, {
      endpointId: hook.endpointId,
      paginationOpts: { numItems: 1, cursor: null },
    })
    const body = await shop.owner.http.query(api.webhooks.delivery, {
      deliveryId: page[0]?._id as Id<'webhookDeliveries'>,
    })
    expect(body.body).not.toContain('too much')
    await sql`delete from webhook_deliveries where endpoint_id = ${hook.endpointId}`.execute(world.app.database.root)
    await watchWebhooks(world.app.database)
    expect(await endpoint()).toMatchObject({ fullSince: null })
  })

  it('nothing for longer than thirty days', async () => {
    await world.says(shop, world.newChat(), 'Hello')
    const { root } = world.app.database
    await sql`update webhook_events set created_at = now() - interval '31 days' where organization_id = ${shop.organizationId}`.execute(
      root,
    )
    await tidyWebhooks(world.app.database, new AbortController().signal)
    expect(await log()).toEqual([])
    const left = await root
      .selectFrom('webhook_attempts')
      .where('organization_id', '=', shop.organizationId)
      .selectAll()
      .execute()
    expect(left).toEqual([])
  })
})

it('is out of reach for other organizations', async () => {
  await world.says(shop, world.newChat(), 'Hello')
  const [delivery] = await log()
  const { http } = await world.app.signUp()
  const { endpointId } = hook
  const settings = { url: hook.receiver.url, description: '', types: ['message.incoming' as const], perMinute: null }
  const attempts = [
    http.query(api.webhooks.counts, { endpointId }),
    http.query(api.webhooks.deliveries, { endpointId, ...FIRST }),
    http.query(api.webhooks.delivery, { deliveryId: delivery?._id as Id<'webhookDeliveries'> }),
    http.action(api.webhooks.update, { endpointId, ...settings }),
    http.action(api.webhooks.rotateSecret, { endpointId }),
    http.mutation(api.webhooks.setOn, { endpointId, isOn: false }),
    http.mutation(api.webhooks.sendTest, { endpointId }),
    http.mutation(api.webhooks.replay, { deliveryId: delivery?._id as Id<'webhookDeliveries'> }),
    http.mutation(api.webhooks.replayDead, { endpointId }),
    http.mutation(api.webhooks.remove, { endpointId }),
  ]
  const refused = { status: 'rejected', reason: { data: { code: 'not_found' } } }
  expect(await Promise.allSettled(attempts)).toMatchObject(attempts.map(() => refused))
  expect(await http.query(api.webhooks.list, {})).toEqual([])
})

it('an organization has a bounded number of endpoints', async () => {
  const { http } = await world.app.signUp()
  const settings = {
    url: 'http://shop.example/hook',
    description: '',
    types: ['message.incoming' as const],
    perMinute: null,
  }
  for (let n = 0; n < 10; n++) await http.action(api.webhooks.create, settings)
  await expect(http.action(api.webhooks.create, settings)).rejects.toMatchObject({
    data: { code: 'too_many_webhooks', params: { max: 10 } },
  })
})

it('looking at an address makes no request', async () => {
  await outbound.check(hook.receiver.url)
  expect(hook.receiver.requests).toEqual([])
  await expect(outbound.check('http://10.0.0.1')).rejects.toBeInstanceOf(OutboundError)
})
