// A page on which a person writes to the bots of the fake Telegram as a customer would on the phone. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeTelegram } from './telegram.ts'

/** A bot that can be written to. */
export type PageBot = { token: string; username: string; title: string }
/** `at`: milliseconds of this process's clock, as in the fake's own records. */
type Said = { bot: string; chatId: number; text: string; at: number }

/** Starts the page. @returns its address and how to stop it */
export async function startTelegramPage(telegram: FakeTelegram, bots: PageBot[], port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'telegram-page.html'))
  const said: Said[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/chat' || url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/bots') return json(bots.map(({ username, title }) => ({ username, title })))
    const bot = bots.find(({ username }) => username === url.searchParams.get('bot'))
    const chatId = Number(url.searchParams.get('chat'))
    if (!bot || !Number.isSafeInteger(chatId)) return response.writeHead(404).end()
    if (url.pathname === '/messages') return json(messagesOf(telegram, said, bot, chatId))
    if (url.pathname !== '/say' || request.method !== 'POST') return response.writeHead(404).end()
    const { text, name, language } = await readJson(request)
    said.push({ bot: bot.username, chatId, text, at: performance.now() })
    telegram.customerSays(bot.token, { chatId, firstName: name, language }, text)
    return json({ ok: true })
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/chat`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The chat as the customer's phone shows it, oldest first, and whether the bot is typing. */
function messagesOf(telegram: FakeTelegram, said: Said[], bot: PageBot, chatId: number) {
  const mine = said.filter((message) => message.bot === bot.username && message.chatId === chatId)
  const theirs = telegram.sentTo(chatId).filter((message) => message.token === bot.token)
  const messages = [
    ...mine.map(({ text, at }) => ({ from: 'me', text, at })),
    ...theirs.map(({ text, at }) => ({ from: 'bot', text, at })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map((message) => ({ ...message, at: Math.round(performance.timeOrigin + message.at) }))
  const typingAt =
    telegram.typing.findLast((typing) => typing.token === bot.token && typing.chatId === String(chatId))?.at ?? 0
  const isTyping = Date.now() - typingAt < 5000 && typingAt > performance.timeOrigin + (theirs.at(-1)?.at ?? 0)
  return { messages, isTyping }
}

async function readJson(request: IncomingMessage): Promise<{ text: string; name: string; language: string }> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { text, name, language } = JSON.parse(body) as Record<string, unknown>
  return { text: String(text), name: String(name), language: language === 'ru' ? 'ru' : 'en' }
}
