// The page on which a person writes to bots as a customer: what they see of a question with buttons, and what a press does.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FakeTelegram, startFakeTelegram } from './telegram.ts'
import { startTelegramPage } from './telegram-page.ts'

const CHAT = 900_000_001
let telegram: FakeTelegram
let page: Awaited<ReturnType<typeof startTelegramPage>>
let token: string
let address: (path: string) => URL

beforeAll(async () => {
  telegram = await startFakeTelegram()
  const bot = telegram.addBot()
  token = bot.token
  page = await startTelegramPage(telegram, [{ token, username: bot.username, title: 'Shop' }], 0)
  address = (path) => new URL(`${path}?bot=${bot.username}&chat=${CHAT}`, page.url)
})
afterAll(async () => {
  page.close()
  await telegram.close()
})

const post = (path: string, body: object) => fetch(address(path), { method: 'POST', body: JSON.stringify(body) })
const call = (method: string, body: object) =>
  fetch(`${telegram.url}/bot${token}/${method}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
const messages = async () => ((await (await fetch(address('/messages'))).json()) as { messages: object[] }).messages

it('shows the number of the chat, for users who are asked for it', async () => {
  const html = await (await fetch(page.url)).text()
  expect(html).toContain('Номер чата · Chat id: <code id="chat"></code>')
})

describe('a question with buttons', () => {
  it('shows them, and pressing one reaches the bot as the person who presses, with the answer they see', async () => {
    await post('/say', { text: 'Hello', name: 'Anna', language: 'en' })
    const inline_keyboard = [[{ text: 'Red', callback_data: 'Red' }], [{ text: 'Blue', callback_data: 'Blue' }]]
    await call('sendMessage', { chat_id: CHAT, text: 'Which one?', reply_markup: { inline_keyboard } })
    const [, question] = await messages()
    expect(question).toMatchObject({ from: 'bot', text: 'Which one?', buttons: [['Red'], ['Blue']], pressed: null })
    const { messageId } = question as { messageId: number }
    expect((await post('/press', { text: 'Green', messageId, name: 'Anna', language: 'en' })).status).toBe(404)
    expect((await post('/press', { text: 'Blue', messageId, name: 'Anna', language: 'en' })).status).toBe(200)
    const update = telegram.bot(token).pending.at(-1) as { callback_query?: { id: string } }
    expect(update.callback_query).toMatchObject({ data: 'Blue', from: { id: CHAT, first_name: 'Anna' } })
    await call('answerCallbackQuery', { callback_query_id: update.callback_query?.id, text: 'Too late' })
    expect((await messages())[1]).toMatchObject({ pressed: 'Blue', notice: 'Too late' })
  })
})
