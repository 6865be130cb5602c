// The page on which a person plays a customer of the fake Avito, and the seller in the same page.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type FakeAvitoAccount, startFakeAvito } from './avito.ts'
import { startAvitoPage } from './avito-page.ts'

const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
const avito = await startFakeAvito()
let account: FakeAvitoAccount
let page: Awaited<ReturnType<typeof startAvitoPage>>

beforeAll(async () => {
  account = avito.addAccount()
  page = await startAvitoPage(avito, account, ad, 0)
})
afterAll(async () => {
  page.close()
  await avito.close()
})

const post = async (path: string, body: object) =>
  (await fetch(new URL(path, page.url), { method: 'POST', body: JSON.stringify({ user: '77', ...body }) })).status
const state = async () => (await fetch(new URL('/state?user=77', page.url))).json()

it('shows the chat under the ad, and whether it has a subscriber', async () => {
  expect(await (await fetch(page.url)).text()).toContain('Телефон клиента')
  expect(await state()).toMatchObject({
    subject: 'Mazda 3 2008 · 300 000 ₽',
    facts: { clientId: account.clientId, clientSecret: account.clientSecret },
    isConnected: false,
    messages: [],
  })
  expect(await post('/say', { text: ' Is it there? ' })).toBe(200)
  expect(await post('/answer', { text: 'It is' })).toBe(200)
  account.subscriptions.push({ url: 'http://127.0.0.1:9/avito', version: '3' })
  expect(await state()).toMatchObject({
    isConnected: true,
    messages: [
      { from: 'me', text: 'Is it there?' },
      { from: 'agent', text: 'It is' },
    ],
  })
  expect(avito.chat(account.userId, { id: 77, name: 'Гость' }, ad)).toMatchObject({ type: 'u2i', ad: { id: 17 } })
})

it.each([
  ['/say', { text: '' }],
  ['/say', { text: 'x'.repeat(1001) }],
  ['/say', { text: 'Hello', user: 'nobody' }],
  ['/shout', { text: 'Hello' }],
])('refuses %s with %j', async (path, body) => {
  expect(await post(path, body)).toBe(400)
})
