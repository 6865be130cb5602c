// A page on which a person plays what stands around an account of the fake Instagram: the customer's phone, somebody who answers in the app
// itself, and the dashboard in which an address is entered. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeAccount, FakeInstagram } from './instagram.ts'

type Said = { userId: string; from: 'me' | 'owner'; text: string; at: number }

const TYPING_MS = 5000

/** Starts the page for one account of the fake. @returns its address and how to stop it */
export async function startInstagramPage(instagram: FakeInstagram, account: FakeAccount, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'instagram-page.html'))
  const said: Said[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = stateOf(instagram, account, said, url.searchParams.get('user') ?? '')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    const isDone = await act(instagram, account, said, url.pathname, await readAsked(request))
    return response.writeHead(isDone ? 200 : 400).end()
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
async function act(
  instagram: FakeInstagram,
  { userId: account }: FakeAccount,
  said: Said[],
  what: string,
  { user: userId = '', from: by = '', text = '', payload = '', url = '', verifyToken = '' }: Record<string, string>,
): Promise<boolean> {
  if (what === '/webhook') return instagram.enterWebhook(account, { url, verifyToken })
  if (!/^\d{5,15}$/.test(userId)) return false
  const customer = { id: userId, name: 'Гость', username: 'guest' }
  const from = by === 'owner' ? 'owner' : 'me'
  if (what === '/press') {
    const pressed = instagram
      .sentTo(userId)
      .at(-1)
      ?.quickReplies.find((reply) => reply.payload === payload)
    if (!pressed) return false
    said.push({ userId, from, text: pressed.title, at: instagram.now() })
    instagram.customerSays(account, customer, pressed.title, { quick_reply: { payload } })
    return true
  }
  if (what !== '/say' || text === '') return false
  said.push({ userId, from, text, at: instagram.now() })
  if (from === 'owner') instagram.ownerSays(account, userId, text)
  else instagram.customerSays(account, customer, text)
  return true
}

/** The chat as the customer's phone shows it, oldest first, and what Meta's dashboard shows. */
function stateOf(instagram: FakeInstagram, account: FakeAccount, said: Said[], userId: string) {
  const { username, accessToken, app } = account
  const theirs = instagram.sentTo(userId)
  const own = said.filter((message) => message.userId === userId)
  const messages = [
    ...own.map(({ from, text, at }) => ({ from: from === 'me' ? 'me' : 'agent', text, at, replies: none })),
    ...theirs.map(({ text, at, quickReplies: replies, file }) => {
      return { from: 'agent', text: text || nameIn(file?.url), at, replies }
    }),
  ].toSorted((a, b) => a.at - b.at)
  // Quick replies are gone as soon as anything was said.
  const shown = messages.map((message, index) =>
    index === messages.length - 1 ? message : { ...message, replies: none },
  )
  const isTyping = instagram.typedAt > (theirs.at(-1)?.at ?? 0) && instagram.now() - instagram.typedAt < TYPING_MS
  const isDelivering = app.webhook !== null && account.subscribedFields.length > 0
  return { account: { username, accessToken, appSecret: app.secret }, messages: shown, isTyping, isDelivering }
}

const none: { title: string; payload: string }[] = []

function nameIn(url = ''): string {
  return decodeURIComponent(url.split('/').at(-1) ?? '')
}

async function readAsked(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']))
}
