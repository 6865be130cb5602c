// A page on which a person plays a customer who asks about an ad of the fake Avito, and sees what its owner sees: the keys of the account,
// and the same chat in Avito's application. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeAd, FakeAvito, FakeAvitoAccount } from './avito.ts'

/** Starts the page for one ad of an account of the fake. @returns its address and how to stop it */
export async function startAvitoPage(avito: FakeAvito, account: FakeAvitoAccount, ad: FakeAd, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'avito-page.html'))
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = stateOf(avito, account, ad, Number(url.searchParams.get('user')))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    const isDone = act(avito, account, ad, url.pathname, await readAsked(request))
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
function act(
  avito: FakeAvito,
  { userId }: FakeAvitoAccount,
  ad: FakeAd,
  what: string,
  { user = '', text = '' }: Record<string, string>,
): boolean {
  if (!/^[1-9]\d{0,14}$/.test(user) || text === '' || text.length > 1000) return false
  const customer = customerOf(Number(user))
  if (what === '/say') avito.customerSays(userId, customer, text, ad)
  else if (what === '/own') avito.ownerSays(userId, avito.chat(userId, customer, ad).id, text)
  else return false
  return true
}

/** The chat as the customer's phone shows it, oldest first, and what the account's owner sees. */
function stateOf(avito: FakeAvito, account: FakeAvitoAccount, ad: FakeAd, user: number) {
  const { userId, clientId, clientSecret, subscriptions } = account
  const { messages } = avito.chat(userId, customerOf(user), ad)
  return {
    ad,
    keys: { clientId, clientSecret },
    isConnected: subscriptions.length > 0,
    messages: messages.map(({ authorId, content, file, isRead }) => {
      const text = typeof content.text === 'string' ? content.text : (file?.name ?? '')
      return { from: authorId === userId ? 'shop' : 'me', text, isRead }
    }),
  }
}

function customerOf(id: number) {
  return { id, name: 'Гость' }
}

async function readAsked(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']))
}
