// The fake Avito refuses what the real one refuses, and tells of messages as it does.
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listenOnLoopback } from '#tests/loopback.ts'
import { type FakeAvitoAccount, type FakeChat, startFakeAvito } from './avito.ts'

let now = Date.parse('2026-11-23T10:00:00Z')
const avito = await startFakeAvito({ at: () => now })
const anna = { id: 94_235_311, name: 'Anna' }
const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
let account: FakeAvitoAccount
let chat: FakeChat
let token: string

beforeEach(async () => {
  account = avito.addAccount()
  chat = avito.chat(account.userId, anna, ad)
  token = (await giveToken()).body.access_token as string
})
afterAll(() => avito.close())

async function giveToken(change: Record<string, string> = {}) {
  const form = { grant_type: 'client_credentials', client_id: account.clientId, client_secret: account.clientSecret }
  const body = new URLSearchParams({ ...form, ...change })
  const answer = await fetch(`${avito.url}/token`, { method: 'POST', body })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
async function call(method: string, path: string, body?: object, by = token) {
  const headers = { authorization: `Bearer ${by}`, ...(body && { 'content-type': 'application/json' }) }
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const answer = await fetch(avito.url + path, { method, headers, ...sent })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const at = (rest: string) => `/messenger/v1/accounts/${account.userId}/chats/${chat.id}/${rest}`
const send = (body: object) => call('POST', at('messages'), body)

describe('an access token', () => {
  it.each([
    ['a wrong secret', { client_secret: 'wrong' }, 401],
    ['another kind of grant', { grant_type: 'password' }, 400],
  ])('is not given for %s', async (_, change, status) => {
    expect((await giveToken(change)).status).toBe(status)
  })

  it('is valid for a day, for its own account, and not for a caller without one', async () => {
    expect(await call('GET', '/core/v1/accounts/self')).toMatchObject({ status: 200, body: { id: account.userId } })
    expect((await call('GET', '/core/v1/accounts/self', undefined, 'invented')).status).toBe(401)
    const other = avito.addAccount()
    expect((await call('GET', `/messenger/v2/accounts/${other.userId}/chats`)).status).toBe(403)
    now += 86_400_000
    expect((await call('GET', '/core/v1/accounts/self')).status).toBe(401)
  })
})

describe('a message of ours', () => {
  it.each([
    ['no text', { type: 'text', message: { text: '' } }],
    ['a text that is too long', { type: 'text', message: { text: 'x'.repeat(1001) } }],
    ['another kind', { type: 'voice', message: { text: 'Hello' } }],
    ['a key that does not exist', { type: 'text', message: { text: 'Hello' }, silent: true }],
  ])('with %s is refused', async (_, body) => {
    expect((await send(body)).status).toBe(400)
    expect(chat.messages).toEqual([])
  })

  it('is refused in a chat that does not exist, by a customer who wants none, and where it is not paid for', async () => {
    const hello = { type: 'text', message: { text: 'Hello' } }
    const elsewhere = `/messenger/v1/accounts/${account.userId}/chats/u2i-nobody/messages`
    expect((await call('POST', elsewhere, hello)).status).toBe(404)
    chat.isBlocked = true
    expect((await send(hello)).status).toBe(403)
    expect((await call('GET', `/messenger/v2/accounts/${account.userId}/chats`)).status).toBe(200)
    account.hasMessenger = false
    expect((await call('GET', `/messenger/v2/accounts/${account.userId}/chats`)).status).toBe(403)
    expect(chat.messages).toEqual([])
  })

  it('may be a picture, and nothing else', async () => {
    const upload = async (bytes: Uint8Array) => {
      const form = new FormData()
      form.set('uploadfile[]', new Blob([new Uint8Array(bytes)]), 'photo.png')
      const headers = { authorization: `Bearer ${token}` }
      const path = `/messenger/v1/accounts/${account.userId}/uploadImages`
      const answer = await fetch(avito.url + path, { method: 'POST', headers, body: form })
      return { status: answer.status, ids: Object.keys((await answer.json()) as object) }
    }
    expect((await upload(Buffer.from('Prices'))).status).toBe(400)
    const { ids } = await upload(Buffer.from('\x89PNG and so on', 'latin1'))
    expect((await call('POST', at('messages/image'), { image_id: ids[0] })).status).toBe(200)
    expect(chat.messages).toMatchObject([{ type: 'image', file: { name: 'photo.png' } }])
  })
})

describe('a notification', () => {
  it('tells each subscriber of what anybody says, again and again until it is taken', async () => {
    const got: { version: string; payload: { value: Record<string, unknown> } }[] = []
    const server = await listenOnLoopback(async (request) => {
      got.push((await request.json()) as (typeof got)[number])
      return new Response('', { status: got.length === 1 ? 503 : 200 })
    })
    const url = `${server.url}/avito?key=1`
    await call('POST', '/messenger/v3/webhook', { url })
    expect((await call('POST', '/messenger/v1/subscriptions')).body).toEqual({ subscriptions: [{ url, version: '3' }] })
    avito.customerSays(account.userId, anna, 'Is it there?', ad)
    await avito.waitFor(() => avito.taken.length === 1, 'the first notification')
    await send({ type: 'text', message: { text: 'It is' } })
    await avito.waitFor(() => avito.taken.length === 2, 'the notification of our own')
    const values = got.map(({ payload }) => payload.value)
    expect(values.map(({ author_id: author }) => author)).toEqual([anna.id, anna.id, account.userId])
    expect(values[0]).toMatchObject({ user_id: account.userId, chat_type: 'u2i', item_id: 17, chat_id: chat.id })
    await call('POST', '/messenger/v1/webhook/unsubscribe', { url })
    expect(account.subscriptions).toEqual([])
    await server.close()
  })
})

it('lists chats with the newest first, and their messages likewise', async () => {
  avito.customerSays(account.userId, anna, 'one', ad)
  now += 2000
  const bob = { id: 7, name: 'Bob' }
  avito.customerSays(account.userId, bob, 'two')
  avito.customerSays(account.userId, bob, 'three')
  const base = `/accounts/${account.userId}/chats`
  const { body } = await call('GET', `/messenger/v2${base}?chat_types=u2i,u2u&unread_only=true`)
  const [newest, older] = body.chats as { id: string; context?: object; users: object[] }[]
  expect(older).toMatchObject({ id: chat.id, context: { value: { title: 'Mazda 3 2008' } } })
  expect(newest?.users).toContainEqual(bob)
  const listed = await call('GET', `/messenger/v3${base}/${newest?.id}/messages/?limit=1`)
  expect(listed.body).toMatchObject([{ content: { text: 'three' }, direction: 'in' }])
  expect((await call('GET', `/messenger/v3${base}/${newest?.id}/messages/?limit=101`)).status).toBe(400)
})
