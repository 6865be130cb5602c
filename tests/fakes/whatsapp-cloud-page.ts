// A page on which a person plays what stands around a number of the fake Cloud API: the customer's phone, the owner's app, and the
// dashboard in which an address is entered. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { type FakeNumber, type FakeWhatsappCloud, pressOf } from './whatsapp-cloud.ts'

type Said = { phone: string; from: 'me' | 'owner'; text: string; at: number }
type Asked = Record<'phone' | 'from' | 'text' | 'url' | 'verifyToken' | 'id', string> & { choice: unknown }

const TYPING_MS = 5000

/** Starts the page for one number of the fake. @returns its address and how to stop it */
export async function startWhatsappCloudPage(cloud: FakeWhatsappCloud, number: FakeNumber, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'whatsapp-cloud-page.html'))
  const said: Said[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = stateOf(cloud, number, said, url.searchParams.get('phone') ?? '')
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    const isDone = await act(cloud, number, said, url.pathname, await readAsked(request))
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
async function act(cloud: FakeWhatsappCloud, number: FakeNumber, said: Said[], what: string, asked: Asked) {
  const { phone, text, id, choice } = asked
  const { phoneNumberId } = number
  const customer = { phone, name: 'Гость' }
  const from = asked.from === 'owner' ? 'owner' : 'me'
  if (what === '/webhook') return cloud.enterWebhook(phoneNumberId, { url: asked.url, verifyToken: asked.verifyToken })
  if (!/^\d{7,15}$/.test(phone)) return false
  if (what === '/press') {
    said.push({ phone, from, text: titleOf(choice), at: cloud.now() })
    cloud.customerSends(phoneNumberId, customer, pressOf(id, choice))
    return true
  }
  if (what !== '/say' || text === '') return false
  said.push({ phone, from, text, at: cloud.now() })
  if (from === 'owner') cloud.ownerSays(phoneNumberId, phone, text)
  else cloud.customerSays(phoneNumberId, customer, text)
  return true
}

/** The chat as the customer's phone shows it, oldest first, and what Meta's dashboard shows. */
function stateOf(cloud: FakeWhatsappCloud, number: FakeNumber, said: Said[], phone: string) {
  const { phoneNumberId, accountId, accessToken, appSecret, webhook, appWebhook } = number
  const theirs = cloud.sentTo(phone)
  const own = said.filter((message) => message.phone === phone)
  const messages = [
    ...own.map(({ from, text, at }) => ({ from: from === 'me' ? 'me' : 'agent', text, at, choices: [], id: '' })),
    ...theirs.map(({ text, at, choices, file, template, id }) => {
      const shown = text || file?.name || (template && [template.name, ...template.words].join(' · ')) || ''
      return { from: 'agent', text: shown, at, choices, id }
    }),
  ].toSorted((a, b) => a.at - b.at)
  const answeredAt = theirs.at(-1)?.at ?? 0
  const isTyping = cloud.typedAt > answeredAt && cloud.now() - cloud.typedAt < TYPING_MS
  const isDelivering = (webhook ?? appWebhook) !== null && number.isSubscribed
  return { number: { phoneNumberId, accountId, accessToken, appSecret }, messages, isTyping, isDelivering }
}

function titleOf(choice: unknown): string {
  return typeof choice === 'object' && choice !== null && 'title' in choice ? String(choice.title) : ''
}

async function readAsked(request: IncomingMessage): Promise<Asked> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = JSON.parse(body) as Record<string, unknown>
  const word = (name: string) => (typeof given[name] === 'string' ? given[name].trim() : '')
  return {
    phone: word('phone'),
    from: word('from'),
    text: word('text'),
    url: word('url'),
    verifyToken: word('verifyToken'),
    id: word('id'),
    choice: given.choice,
  }
}
