// A page on which a person writes to the bots of the fake Telegram as a customer would on the phone. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeTelegram } from './telegram.ts'
import { presses } from './telegram-scenes.ts'

/** A bot that can be written to. `isFree`: its token is given out, as BotFather would. */
export type PageBot = { token: string; username: string; title: string; isFree?: boolean }
/** `at`: milliseconds of this process's clock, as in the fake's own records. */
type PageEntry = { bot: string; chatId: number; text: string; at: number }
/** A button was pressed. `id`: the key to what the fake showed the customer. */
type Pressed = { bot: string; chatId: number; messageId: number; label: string; id: string }

/** Starts the page. @returns its address and how to stop it */
export async function startTelegramPage(telegram: FakeTelegram, bots: PageBot[], port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'telegram-page.html'))
  const entries: PageEntry[] = []
  const pressed: Pressed[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/chat' || url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/bots') return json(bots.map(shownBot))
    const bot = bots.find(({ username }) => username === url.searchParams.get('bot'))
    const chatId = Number(url.searchParams.get('chat'))
    if (!bot || !Number.isSafeInteger(chatId)) return response.writeHead(404).end()
    if (url.pathname === '/messages') return json(messagesOf(telegram, { entries, pressed }, bot, chatId))
    if (request.method !== 'POST') return response.writeHead(404).end()
    const { text, name: firstName, language, messageId } = await readJson(request)
    if (url.pathname === '/say') {
      entries.push({ bot: bot.username, chatId, text, at: performance.now() })
      telegram.customerSays(bot.token, { chatId, firstName, language }, text)
      return json({ ok: true })
    }
    const message = sentBy(telegram, bot, chatId).find((sent) => sent.messageId === messageId)
    const isButton = message?.buttons?.flat().some((button) => button.text === text)
    if (url.pathname !== '/press' || !message || !isButton) return response.writeHead(404).end()
    const id = presses(telegram, message, text, { firstName, language })
    pressed.push({ bot: bot.username, chatId, messageId, label: text, id })
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
function messagesOf(
  telegram: FakeTelegram,
  done: { entries: PageEntry[]; pressed: Pressed[] },
  bot: PageBot,
  chatId: number,
) {
  const isHere = (each: PageEntry | Pressed) => each.bot === bot.username && each.chatId === chatId
  const presses = done.pressed.filter(isHere)
  const theirs = sentBy(telegram, bot, chatId)
  const messages = [
    ...done.entries.filter(isHere).map(({ text, at }) => ({ from: 'me', text, at })),
    ...theirs.map(({ text, at, messageId, buttons = [] }) => {
      const last = presses.findLast((press) => press.messageId === messageId)
      const answer = last && telegram.presses.get(last.id)
      const notice = typeof answer === 'object' ? answer.notice : null
      const labels = buttons.map((row) => row.map((button) => button.text))
      return { from: 'bot', text, at, messageId, buttons: labels, pressed: last?.label ?? null, notice }
    }),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map((message) => ({ ...message, at: Math.round(performance.timeOrigin + message.at) }))
  const typingAt =
    telegram.typing.findLast((typing) => typing.token === bot.token && typing.chatId === String(chatId))?.at ?? 0
  const isTyping = Date.now() - typingAt < 5000 && typingAt > performance.timeOrigin + (theirs.at(-1)?.at ?? 0)
  return { messages, isTyping }
}

function shownBot({ token, username, title, isFree = false }: PageBot) {
  return { username, title, token: isFree ? token : null }
}

function sentBy(telegram: FakeTelegram, bot: PageBot, chatId: number) {
  return telegram.sentTo(chatId).filter((message) => message.token === bot.token)
}

/** `text`: the message, or the label of the button. `messageId`: above the button. */
type Posted = { text: string; name: string; language: string; messageId: number }

async function readJson(request: IncomingMessage): Promise<Posted> {
  let body = ''
  for await (const chunk of request) body += chunk
  const { text, name, language, messageId } = JSON.parse(body) as Record<string, unknown>
  return {
    text: String(text),
    name: String(name),
    language: language === 'ru' ? 'ru' : 'en',
    messageId: Number(messageId),
  }
}
