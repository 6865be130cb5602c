// The fake Instagram refuses what the real one refuses, and delivers as it does: messages of customers, and of the account.
import { createHmac } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '#tests/loopback.ts'
import { type FakeAccount, startFakeInstagram } from './instagram.ts'
import { startInstagramPage } from './instagram-page.ts'

const DAY_MS = 24 * 3_600_000
const clock = { now: Date.now }
const instagram = await startFakeInstagram({ at: () => clock.now() })
const anna = { id: '4242424242', name: 'Anna', username: 'anna.coffee' }
let account: FakeAccount

beforeEach(() => {
  clock.now = Date.now
  instagram.sent = []
  instagram.taken = []
  account = instagram.addAccount()
  instagram.message(account.userId, anna, { text: 'Hello' })
})
afterAll(() => instagram.close())

async function call(path: string, init: RequestInit = {}, token = account.accessToken) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${instagram.graphUrl}/${path}`, { headers, ...init })
  const { error, ...body } = (await answer.json()) as { error?: { code: number; error_subcode?: number } }
  return { status: answer.status, ...(error && { code: error.code, subcode: error.error_subcode }), ...body }
}
const post = (body: object) => call('me/messages', { method: 'POST', body: JSON.stringify(body) })
const send = (message: object, to = anna.id) => post({ recipient: { id: to }, message })
const reply = { content_type: 'text', title: 'Yes', payload: 'yes' }

describe('a call', () => {
  it.each([
    ['a key that does not exist', { text: 'Hello', priority: 'high' }],
    ['no text', { text: '' }],
    ['1,001 bytes', { text: `${'ы'.repeat(500)}x` }],
    ['fourteen quick replies', { text: 'Well?', quick_replies: Array(14).fill(reply) }],
    ['a quick reply that carries nothing', { text: 'Well?', quick_replies: [{ ...reply, payload: '' }] }],
    ['a kind of file that does not exist', { attachment: { type: 'postcard', payload: { url: 'http://a.invalid' } } }],
    ['a text along with a file', { text: 'Look', attachment: { type: 'image', payload: { url: 'http://a.invalid' } } }],
  ])('with %s is refused', async (_, message) => {
    expect(await send(message)).toMatchObject({ status: 400, code: 100 })
    expect(instagram.sent).toEqual([])
  })

  it('of a stranger, of nothing, to no recipient or to a customer silent for a day is refused', async () => {
    expect(await call('me?fields=user_id', {}, 'IGAAno')).toMatchObject({ status: 401, code: 190 })
    expect(await call('me/letters')).toMatchObject({ status: 400, code: 2500 })
    expect(await call('me?fields=shoe_size')).toMatchObject({ status: 400, code: 100 })
    expect(await send({ text: 'Hello' }, '777')).toMatchObject({ status: 400, code: 100, subcode: 2018001 })
    instagram.lapse(account.userId, anna.id)
    expect(await send({ text: 'Hello' })).toMatchObject({ status: 400, code: 10, subcode: 2534022 })
  })

  it('is refused beyond a hundred messages in a second', async () => {
    const second = Date.now()
    clock.now = () => second // a busy machine takes longer than that for as many
    const answers = await Promise.all(Array.from({ length: 101 }, () => send({ text: 'Hello' })))
    expect(answers.filter(({ status }) => status !== 200)).toMatchObject([{ status: 400, code: 613 }])
  })

  it('gives the profiles of customers who have written, and no others', async () => {
    const fields = '?fields=name,username'
    expect(await call(anna.id + fields)).toMatchObject({ name: 'Anna', username: 'anna.coffee' })
    expect(await call(`777${fields}`)).toMatchObject({ status: 400, code: 230 })
  })

  it('for files fetches them, and takes what it can show', async () => {
    const url = instagram.addFile('a.pdf', Buffer.from('%PDF-1.7'))
    const file = (address: string) => send({ attachment: { type: 'file', payload: { url: address } } })
    expect(await file(url)).toMatchObject({ code: 100, subcode: 2018047 }) // its type is not given
    expect(await file(`${url}x`)).toMatchObject({ code: 100, subcode: 2018008 })
    const { url: site, close } = await listenOnLoopback(() => {
      return new Response('%PDF-1.7', { headers: { 'content-type': 'application/pdf' } })
    })
    expect(await file(`${site}/a.pdf`)).toMatchObject({ status: 200 })
    await close()
  })

  it('renews a token that is a day old, and leaves the one before it valid', async () => {
    const before = account.accessToken
    const ask = async () => {
      const query = new URLSearchParams({ grant_type: 'ig_refresh_token', access_token: before })
      return (await fetch(`${instagram.origin}/refresh_access_token?${query}`)).status
    }
    expect(await ask()).toBe(400)
    account.tokenMadeAt = Date.now() - DAY_MS
    expect(await ask()).toBe(200)
    expect(account.accessToken).not.toBe(before)
    for (const token of [before, account.accessToken])
      expect(await call('me', {}, token)).toMatchObject({ status: 200 })
  })
})

it('has a page on which a customer writes and presses, a person answers in the app, and an address is entered', async () => {
  const page = await startInstagramPage(instagram, account, 0)
  const ask = (path: string, body: object) =>
    fetch(page.url + path, { method: 'POST', body: JSON.stringify({ user: '77777', ...body }) })
  const state = async () => (await fetch(`${page.url}state?user=77777`)).json()
  const { url, close } = await listenOnLoopback((request) => {
    return new Response(new URL(request.url).searchParams.get('hub.challenge'))
  })
  expect(await state()).toMatchObject({ facts: { appSecret: account.app.secret }, isConnected: false })
  expect((await ask('webhook', { url, verifyToken: 'token' })).status).toBe(200)
  expect((await ask('say', { text: '' })).status).toBe(400)
  expect((await ask('say', { text: 'Hello' })).status).toBe(200)
  await send({ text: 'Shall we?', quick_replies: [reply] }, '77777')
  expect(await state()).toMatchObject({ messages: [{ from: 'me', text: 'Hello' }, { buttons: [{ label: 'Yes' }] }] })
  expect((await ask('press', { payload: 'no' })).status).toBe(400)
  expect((await ask('press', { payload: 'yes' })).status).toBe(200)
  expect((await ask('answer', { text: 'I am here' })).status).toBe(200)
  expect(await state()).toMatchObject({
    messages: [
      { from: 'me', text: 'Hello' },
      { from: 'agent', text: 'Shall we?', buttons: [] },
      { from: 'me', text: 'Yes' },
      { from: 'agent', text: 'I am here' },
    ],
  })
  page.close()
  await close()
})

it('a delivery is signed, comes again until it is taken, and tells what was sent before that is answered', async () => {
  const bodies: string[] = []
  const signatures: (string | null)[] = []
  const { url, close } = await listenOnLoopback(async (request) => {
    bodies.push(await request.text())
    signatures.push(request.headers.get('x-hub-signature-256'))
    return new Response(null, { status: bodies.length < 3 ? 500 : 200 })
  })
  account.app.webhook = { url, verifyToken: 'token' }
  instagram.customerSays(account.userId, anna, 'Nobody wants to know')
  await call('me/subscribed_apps?subscribed_fields=messages', { method: 'POST' })
  const id = instagram.customerSays(account.userId, anna, 'Hello')
  await instagram.waitFor(() => instagram.taken.some((text) => text.includes(id)), 'the delivery')
  expect([bodies.length, new Set(bodies).size]).toEqual([3, 1])
  const signed = createHmac('sha256', account.app.secret)
    .update(bodies[0] ?? '')
    .digest('hex')
  expect(new Set(signatures)).toEqual(new Set([`sha256=${signed}`]))
  await send({ text: 'Good day' })
  expect(bodies.at(-1)).toContain('"is_echo":true')
  await close()
})
