// A page on which a person plays a customer of a bot of the fake MAX, with the platform that shows the bot's token. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeMax, FakeMaxBot } from './max.ts'

type Said = { userId: number; text: string; at: number }

const TYPING_MS = 5000
/** A bot that nobody has asked for so long is not connected. */
const HEARD_MS = 60_000

/** Starts the page for one bot of the fake. @returns its address and how to stop it */
export async function startMaxPage(max: FakeMax, bot: FakeMaxBot, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'max-page.html'))
  const said: Said[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = stateOf(max, bot, said, Number(url.searchParams.get('user')))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    return response.writeHead(act(max, bot, said, url.pathname, await readAsked(request)) ? 200 : 400).end()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** @returns whether it was done */
function act(max: FakeMax, { token }: FakeMaxBot, said: Said[], what: string, asked: Record<string, string>): boolean {
  const { user = '', text = '', payload = '', mid = '' } = asked
  if (!/^\d{1,15}$/.test(user)) return false
  const customer = customerOf(Number(user))
  const words = what === '/press' ? (buttonOf(max, mid, payload) ?? '') : text
  if (words === '' || (what !== '/press' && what !== '/say')) return false
  said.push({ userId: customer.userId, text: words, at: performance.now() })
  if (what === '/press') max.customerPresses(token, customer, mid, payload)
  else max.customerSays(token, customer, text)
  return true
}

/** The chat as the customer's phone shows it, oldest first, and what the platform shows of the bot. */
function stateOf(max: FakeMax, { token, username, askedAt }: FakeMaxBot, said: Said[], userId: number) {
  const { chatId } = max.chatOf(token, customerOf(userId))
  const theirs = max.sentTo(chatId)
  const own = said.filter((message) => message.userId === userId)
  const messages = [
    ...own.map(({ text, at }) => ({
      from: 'me',
      text,
      at,
      buttons: [] as { text: string; payload: string }[],
      mid: '',
    })),
    ...theirs.map(({ text, at, buttons, file, mid }) => ({
      from: 'bot',
      text: text || (file?.name ?? ''),
      at,
      buttons: buttons.flat(),
      mid,
    })),
  ].toSorted((a, b) => a.at - b.at)
  const typedAt = max.typedAt.get(chatId) ?? 0
  const isTyping = typedAt > (theirs.at(-1)?.at ?? 0) && performance.now() - typedAt < TYPING_MS
  return { bot: { token, username }, messages, isTyping, isConnected: Date.now() - askedAt < HEARD_MS }
}

/** What stands on a button. */
function buttonOf(max: FakeMax, mid: string, payload: string): string | undefined {
  const buttons = max.sent.find((message) => message.mid === mid)?.buttons.flat() ?? []
  return buttons.find((button) => button.payload === payload)?.text
}

function customerOf(userId: number) {
  return { userId, firstName: 'Гость' }
}

async function readAsked(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']))
}
