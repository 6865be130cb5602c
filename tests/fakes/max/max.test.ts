// The stand-in for MAX: it refuses what the documentation says is refused, and its page shows a chat as a customer sees it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeMax, type FakeMaxBot, startFakeMax } from './max.ts'
import { startMaxPage } from './max-page.ts'

let max: FakeMax
let bot: FakeMaxBot
let chat: string
const anna = { userId: 5, firstName: 'Anna' }

beforeAll(async () => {
  max = await startFakeMax()
  bot = max.addBot()
  chat = `/messages?chat_id=${max.chatOf(bot.token, anna).chatId}`
})
afterAll(() => max.close())

async function ask(verb: string, path: string, body?: object, token = bot.token) {
  const headers = { authorization: token, ...(body && { 'content-type': 'application/json' }) }
  const answer = await fetch(max.url + path, { method: verb, headers, ...(body && { body: JSON.stringify(body) }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}
const button = { type: 'callback', text: 'Yes', payload: 'yes' }
const keyboard = (...buttons: object[]) => [{ type: 'inline_keyboard', payload: { buttons: [buttons] } }]

describe('refuses', () => {
  it.each<[string, string, string, object | undefined, number]>([
    ['an unknown method', 'GET', '/people', undefined, 404],
    ['another verb', 'POST', '/me', {}, 405],
    ['a text that is too long', 'POST', 'chat', { text: 'x'.repeat(4001) }, 400],
    ['nothing at all', 'POST', 'chat', { text: '' }, 400],
    ['a field that there is not', 'POST', 'chat', { text: 'Hi', parse_mode: 'html' }, 400],
    ['a tag that there is not', 'POST', 'chat', { text: '<script>a</script>', format: 'html' }, 400],
    ['tags that cross', 'POST', 'chat', { text: '<b><i>a</b></i>', format: 'html' }, 400],
    [
      'a button without a payload',
      'POST',
      'chat',
      { text: 'a', attachments: keyboard({ ...button, payload: '' }) },
      400,
    ],
    ['eight buttons in a row', 'POST', 'chat', { text: 'a', attachments: keyboard(...Array(8).fill(button)) }, 400],
    ['a file that was not uploaded', 'POST', 'chat', { attachments: [{ type: 'file', payload: { token: 'x' } }] }, 400],
    ['a chat that there is not', 'POST', '/messages?chat_id=1', { text: 'Hi' }, 404],
    ['no recipient', 'POST', '/messages', { text: 'Hi' }, 400],
    ['an address without https', 'POST', '/subscriptions', { url: 'http://a.example/' }, 400],
    ['another port', 'POST', '/subscriptions', { url: 'https://a.example:8443/' }, 400],
    ['a secret with other signs', 'POST', '/subscriptions', { url: 'https://a.example/', secret: 'a b c d' }, 400],
    ['an update that there is not', 'GET', '/updates?types=telegram', undefined, 400],
    ['a kind of file that there is not', 'POST', '/uploads?type=photo', {}, 400],
    ['an unknown press', 'POST', '/answers?callback_id=1', { notification: 'Hi' }, 400],
  ])('%s', async (_, verb, path, body, status) => {
    const before = max.sent.length
    expect((await ask(verb, path === 'chat' ? chat : path, body)).status).toBe(status)
    expect(max.sent).toHaveLength(before)
  })

  it('a token that it does not know', async () => {
    const answer = await ask('GET', '/me', undefined, 'f9LHod')
    expect(answer).toEqual({ status: 401, body: { code: 'verify.token', message: 'Invalid access_token' } })
  })
})

it('returns only the latest to a poll without a marker, and drops only what a marker has passed', async () => {
  for (const text of ['one', 'two', 'three']) max.customerSays(bot.token, anna, text)
  const textsOf = ({ updates }: Record<string, unknown>) =>
    (updates as ReturnType<FakeMax['message']>[]).map(({ message }) => message.body.text)
  const latest = (await ask('GET', '/updates?timeout=0')).body
  expect(textsOf(latest)).toEqual(['three'])
  expect(bot.pending).toHaveLength(3)
  const all = (await ask('GET', `/updates?timeout=0&marker=${(bot.pending[0]?.seq ?? 0) + 1}`)).body
  expect(textsOf(all)).toEqual(['two', 'three'])
  await ask('GET', `/updates?timeout=0&marker=${all.marker}`)
  expect(bot.pending).toEqual([])
})

it('has a page on which a customer writes, reads and presses', async () => {
  const page = await startMaxPage(max, bot, 0)
  const post = (path: string, body: object) =>
    fetch(page.url + path, { method: 'POST', body: JSON.stringify({ user: '77', ...body }) })
  const state = async () => (await fetch(`${page.url}state?user=77`)).json() as Promise<{ messages: object[] }>
  const own = max.addBot()
  expect((await post('say', { text: '' })).status).toBe(400)
  expect((await post('say', { text: 'Hello' })).status).toBe(200)
  const { chatId } = max.chatOf(bot.token, { userId: 77, firstName: 'Гость' })
  await ask('POST', `/messages?chat_id=${chatId}`, { text: 'Shall we?', attachments: keyboard(button) })
  const mid = max.sentTo(chatId)[0]?.mid
  expect((await post('press', { mid, payload: 'no' })).status).toBe(400)
  expect((await post('press', { mid, payload: 'yes' })).status).toBe(200)
  expect(await state()).toMatchObject({
    facts: { token: bot.token },
    messages: [
      { from: 'me', text: 'Hello' },
      { from: 'agent', text: 'Shall we?' },
      { from: 'me', text: 'Yes' },
    ],
  })
  expect(bot.pending.map(({ body }) => body.update_type)).toEqual(['message_created', 'message_callback'])
  expect(own.pending).toEqual([])
  page.close()
})
