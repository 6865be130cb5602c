// The fake Cloud API refuses what the real one refuses, and delivers as it does.
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '#tests/loopback.ts'
import { type FakeNumber, startFakeWhatsappCloud } from './whatsapp-cloud.ts'

/** The clock of the fake stands still: what is too much at once counts alike on every machine. */
const now = Date.now()
const cloud = await startFakeWhatsappCloud({ at: () => now })
const anna = { phone: '77001234567', name: 'Anna' }
const TEXT = { messaging_product: 'whatsapp', to: anna.phone, recipient_type: 'individual', type: 'text' }
let number: FakeNumber

beforeEach(() => {
  cloud.sent = []
  number = cloud.addNumber()
  number.heardAt.set(anna.phone, now)
})
afterAll(() => cloud.close())

async function post(path: string, body: unknown, token = number.accessToken) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${cloud.graphUrl}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { error } = (await answer.json()) as { error?: { code: number } }
  return { status: answer.status, code: error?.code }
}
const send = (body: object) =>
  post(`${number.phoneNumberId}/messages`, { ...TEXT, text: { body: 'Hello', preview_url: false }, ...body })

describe('a call', () => {
  it.each([
    ['a key that does not exist', { priority: 'high' }],
    ['no text', { text: { body: '', preview_url: false } }],
    ['a text that is too long', { text: { body: 'x'.repeat(4097), preview_url: false } }],
    ['a number that is none', { to: 'Anna' }],
    ['a kind that does not exist', { type: 'postcard' }],
    ['another product', { messaging_product: 'messenger' }],
  ])('with %s is refused', async (_, body) => {
    expect(await send(body)).toEqual({ status: 400, code: 100 })
    expect(cloud.sent).toEqual([])
  })

  it.each([
    ['four buttons', 4, 'Yes'],
    ['a long title', 1, 'x'.repeat(21)],
  ])('with %s is refused', async (_, count, title) => {
    const buttons = Array.from({ length: count }, (_each, index) => ({
      type: 'reply',
      reply: { id: String(index), title },
    }))
    const interactive = { type: 'button', body: { text: 'Well?' }, action: { buttons } }
    expect(await send({ type: 'interactive', text: undefined, interactive })).toMatchObject({ status: 400, code: 100 })
  })

  it('of a stranger, of nothing, or beyond what a customer is sent at once is refused', async () => {
    expect(await post(`${number.phoneNumberId}/messages`, TEXT, 'EAAno')).toEqual({ status: 401, code: 190 })
    expect(await post(`${number.phoneNumberId}/letters/1`, TEXT)).toEqual({ status: 400, code: 2500 })
    for (let count = 0; count < 45; count++) expect(await send({})).toMatchObject({ status: 200 })
    expect(await send({})).toEqual({ status: 400, code: 131056 })
  })

  it('to a customer who has been silent for a day is refused', async () => {
    cloud.lapse(number.phoneNumberId, anna.phone)
    expect(await send({})).toEqual({ status: 400, code: 131047 })
  })

  it('for an address of the number needs one of the app, and one that answers', async () => {
    const webhook = { override_callback_uri: 'http://127.0.0.1:9/hook', verify_token: 'token' }
    expect(await post(number.phoneNumberId, { webhook_configuration: webhook })).toEqual({ status: 400, code: 100 })
    number.appWebhook = { url: 'http://127.0.0.1:9/app', verifyToken: 'token' }
    expect(await post(number.phoneNumberId, { webhook_configuration: webhook })).toEqual({ status: 400, code: 2200 })
    expect(number.webhook).toBeNull()
  })
})

it('a delivery is signed, and comes again until it is taken', async () => {
  const bodies: string[] = []
  const signatures: (string | null)[] = []
  const { url, close } = await listenOnLoopback(async (request) => {
    bodies.push(await request.text())
    signatures.push(request.headers.get('x-hub-signature-256'))
    return new Response(null, { status: bodies.length < 3 ? 500 : 200 })
  })
  Object.assign(number, { appWebhook: { url, verifyToken: 'token' }, isSubscribed: true })
  const id = cloud.customerSays(number.phoneNumberId, anna, 'Hello')
  await cloud.waitFor(() => cloud.taken.some((text) => text.includes(id)), 'the delivery')
  expect([bodies.length, new Set(bodies).size]).toEqual([3, 1])
  const signed = `sha256=${createHmac('sha256', number.appSecret)
    .update(bodies[0] ?? '')
    .digest('hex')}`
  expect(new Set(signatures)).toEqual(new Set([signed]))
  await close()
})

it('an account lists its subscribed apps, of which a token subscribes and unsubscribes its own alone', async () => {
  const call = async (method: string, path = `${number.accountId}/subscribed_apps`) => {
    const headers = { authorization: `Bearer ${number.accessToken}` }
    return (await fetch(`${cloud.graphUrl}/${path}`, { method, headers })).json()
  }
  const appOf = (id: string) => ({
    whatsapp_business_api_data: { id, name: expect.any(String), link: expect.stringContaining(id) },
  })
  number.otherApps = ['4242']
  expect(await call('GET', 'app?fields=id')).toEqual({ id: number.appId })
  expect(await call('GET')).toMatchObject({ data: [appOf('4242')] })
  expect(await post(`${number.accountId}/subscribed_apps`, {})).toMatchObject({ status: 200 })
  expect(await call('GET')).toMatchObject({ data: [appOf('4242'), appOf(number.appId)] })
  expect(await call('DELETE')).toEqual({ success: true })
  expect(await call('GET')).toMatchObject({ data: [appOf('4242')] })
})
