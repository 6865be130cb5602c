// Every type of event comes from what has really happened, says what its schema says, and is signed.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { emitEvent } from '#server/domain/webhooks/events.store.ts'
import { watchWebhooks } from '#server/domain/webhooks/webhooks.job.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { webhookBody } from '#shared/webhooks/payloads.ts'
import { OFFERED_TYPES } from '#shared/webhooks/webhooks.ts'
import { api } from '#tests/app.ts'
import type { Received } from '#tests/fakes/webhook-receiver.ts'
import { type Subscribed, type WebhookShop, WebhooksWorld } from '#tests/webhooks-world.ts'

let world: WebhooksWorld
let shop: WebhookShop
let all: Subscribed
let chat: number

beforeAll(async () => {
  world = await WebhooksWorld.open()
  shop = await world.openShop()
  all = await world.subscribe(shop)
  chat = world.newChat()
  await world.says(shop, chat, 'Do you deliver?')
})
afterAll(() => world.close())

const ofType = (type: string) => all.receiver.taken.filter((event) => event.type === type)
const types = (events: Received[]) => events.map(({ type }) => type)

it('a conversation that begins, its messages in and out, in their order', async () => {
  const conversationId = await world.conversationOf(chat)
  expect(types(all.receiver.taken)).toEqual(['conversation.begun', 'message.incoming', 'message.outgoing'])
  const [begun, incoming, outgoing] = all.receiver.taken
  expect(begun?.data).toMatchObject({ conversation: { _id: conversationId, channel: 'telegram' }, isReopened: false })
  expect(incoming?.data).toMatchObject({ message: { author: 'customer', text: 'Do you deliver?', attachments: 0 } })
  expect(outgoing?.data).toMatchObject({ message: { author: 'agent', text: 'Hello' } })
  const { page } = await shop.owner.http.query(api.conversations.messages, {
    conversationId,
    paginationOpts: { numItems: 10, cursor: null },
  })
  expect(page.map(({ _id }) => _id).toSorted()).toEqual(
    [incoming, outgoing].map((event) => (event?.data.message as { _id: string } | undefined)?._id).toSorted(),
  )
})

it('a hand-off, a reply of a person, the end, a rating and a new beginning', async () => {
  const { http } = shop.owner
  const conversationId = await world.conversationOf(chat)
  all.receiver.taken.length = 0
  await world.says(shop, chat, 'I want to talk to a human')
  await http.mutation(api.conversations.reply, { conversationId, text: 'I am here' })
  await world.app.settle()
  await http.mutation(api.conversations.end, { conversationId })
  await world.app.settle()
  await world.app.database.organization(shop.organizationId, (db) =>
    db
      .insertInto('conversation_ratings')
      .values({ conversation_id: conversationId, score: 5, comment: null, rated_at: new Date() } as never)
      .onConflict((conflict) => conflict.columns(['organization_id', 'conversation_id']).doUpdateSet({ score: 5 }))
      .execute(),
  )
  await world.says(shop, chat, 'One more question')
  const seen = types(all.receiver.taken)
  for (const type of ['conversation.handed_off', 'conversation.ended', 'conversation.rated', 'conversation.begun'])
    expect(seen).toContain(type)
  expect(seen.indexOf('conversation.handed_off')).toBeLessThan(seen.indexOf('conversation.ended'))
  expect(ofType('conversation.handed_off')[0]?.data).toMatchObject({ reason: 'customer_request' })
  expect(ofType('conversation.rated')[0]?.data).toMatchObject({ score: 5, comment: null })
  expect(ofType('conversation.begun').at(-1)?.data).toMatchObject({ isReopened: true })
  const texts = ofType('message.outgoing').map(
    ({ data }) => data.message as { author: string; userId: string | null; text: string },
  )
  expect(texts).toContainEqual(
    expect.objectContaining({ author: 'operator', userId: shop.owner.user._id, text: 'I am here' }),
  )
})

it('a document that cannot be read', async () => {
  const { http } = shop.owner
  const { _id: knowledgeSpaceId } = await http.mutation(api.knowledge.spaces.create, { name: 'Shop' })
  const { token } = await http.action(api.apiTokens.create, { name: 'Program' })
  const answer = await fetch(`${world.app.url}/api/v1/spaces/${knowledgeSpaceId}/documents?name=broken.pdf`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: '%PDF-1.7 and nothing more',
  })
  expect(answer.status).toBe(202)
  const { _id } = (await answer.json()) as { _id: string }
  await world.app.settle()
  expect(ofType('document.failed').map(({ data }) => data.document)).toMatchObject([
    { _id, knowledgeSpaceId, name: 'broken.pdf', status: 'error' },
  ])
})

it('a month that is nearly used up, once for each threshold', async () => {
  const { database } = world.app
  const month = new Date().toISOString().slice(0, 7)
  await database.root
    .updateTable('organizations')
    .set({ monthly_limit: 100, time_zone: 'UTC' })
    .where('id', '=', shop.organizationId)
    .execute()
  const use = async (used: number) => {
    const quota = { organization_id: shop.organizationId, period: month, used }
    await database.root
      .insertInto('quotas')
      .values(quota)
      .onConflict((conflict) => conflict.columns(['organization_id', 'period']).doUpdateSet({ used }))
      .execute()
    for (let time = 0; time < 2; time++) await watchWebhooks(database)
    await world.app.settle()
    return ofType('limit.near').map(({ data }) => data.percent)
  }
  expect(await use(79)).toEqual([])
  expect(await use(80)).toEqual([80])
  expect(await use(99)).toEqual([80, 95])
  expect(ofType('limit.near')[0]?.data).toMatchObject({ limit: 'messages', period: month, used: 80, allowed: 100 })
})

it('a test, whatever types the endpoint wants', async () => {
  const some = await world.subscribe(shop, { types: ['document.failed'] })
  await shop.owner.http.mutation(api.webhooks.sendTest, { endpointId: some.endpointId })
  await world.app.settle()
  expect(types(some.receiver.taken)).toEqual(['webhook.test'])
})

it('each is as its schema says', () => {
  const seen = new Set<string>()
  for (const { type, timestamp, data } of all.receiver.requests) {
    const parsed = webhookBody(type as (typeof OFFERED_TYPES)[number]).safeParse({ type, timestamp, data })
    expect({ type, problem: parsed.error?.issues ?? null }).toEqual({ type, problem: null })
    seen.add(type)
  }
  // Those of bookings have a test of their own: tests/integration/integrations/bookings.test.ts.
  const wanted = OFFERED_TYPES.filter((type) => !type.startsWith('booking.'))
  expect([...seen].toSorted()).toEqual(wanted.toSorted())
  expect(all.receiver.forged).toBe(0)
})

describe('nothing is written', () => {
  it('of the test chat', async () => {
    const before = all.receiver.requests.length
    const { page } = { page: await shop.owner.http.query(api.agents.list, {}) }
    await shop.owner.http.mutation(api.testChat.send, { agentId: page[0]?._id as never, text: 'Hello' })
    await world.app.settle()
    expect(all.receiver.requests.length).toBe(before)
  })

  it('for an organization without endpoints, nor for types that none wants', async () => {
    const other = await world.openShop()
    const count = () =>
      world.app.database.root
        .selectFrom('webhook_events')
        .where('organization_id', '=', other.organizationId)
        .selectAll()
        .execute()
    await world.says(other, world.newChat(), 'Hello')
    expect(await count()).toEqual([])
    await world.subscribe(other, { types: ['conversation.ended'] })
    await world.says(other, world.newChat(), 'Hello')
    expect(await count()).toEqual([])
  })

  it('when what has happened is undone with its transaction', async () => {
    const conversationId = await world.conversationOf(chat)
    const count = all.receiver.requests.length
    const failing = world.app.database.organization(shop.organizationId, async (db) => {
      await db.updateTable('conversations').set({ status: 'ended' }).where('id', '=', conversationId).execute()
      throw new Error('undone')
    })
    await expect(failing).rejects.toThrow('undone')
    await world.app.settle()
    expect(all.receiver.requests.length).toBe(count)
  })
})

it('other rooms of the server write events of their own types', async () => {
  const { database } = world.app
  await database.root
    .updateTable('webhook_endpoints')
    .set({ types: ['booking.created'] })
    .where('id', '=', all.endpointId)
    .execute()
  const booking = { _id: newId(), status: 'booked' as const, startsAt: 1, endsAt: 2 }
  await database.organization(shop.organizationId, (db) =>
    emitEvent(
      { db, organizationId: shop.organizationId },
      { type: 'booking.created', subject: booking._id, conversationId: null, data: { conversation: null, booking } },
    ),
  )
  await world.app.settle()
  expect(ofType('booking.created').map(({ data }) => data)).toEqual([{ conversation: null, booking }])
})
