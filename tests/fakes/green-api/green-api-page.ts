// Pages on which a person plays both phones of the fake WhatsApp: the customer's, and the one that the number belongs to, which
// answers past the product, links itself by scanning, and gets into trouble. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import type { FakeGreenApi, FakeInstance, InstanceState } from './green-api.ts'
import { PHONE_CODE } from './green-api-methods.ts'

/** `at`: milliseconds of this process's clock, as in the fake's own records. */
type PageEntry = { idInstance: string; phone: string; from: 'me' | 'owner'; text: string; at: number }

const STATES: InstanceState[] = [
  'authorized',
  'notAuthorized',
  'starting',
  'sleepMode',
  'yellowCard',
  'suspended',
  'blocked',
]

/** Starts the page for all instances of the fake. @returns its address and how to stop it */
export async function startGreenApiPage(greenApi: FakeGreenApi, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'green-api-page.html'))
  const entries: PageEntry[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    const json = (value: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url.pathname === '/chat' || url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/numbers') return json([...greenApi.instances.values()].map(shown))
    const instance = greenApi.instances.get(url.searchParams.get('instance') ?? '')
    const phone = url.searchParams.get('phone') ?? ''
    if (!instance || !/^\d{7,15}$/.test(phone)) return response.writeHead(404).end()
    if (url.pathname === '/messages') return json(chatState(greenApi, entries, instance, phone))
    if (url.pathname !== '/say' || request.method !== 'POST') return response.writeHead(404).end()
    const asked = await readJson(request)
    if (asked.code !== '' && !enterCode(greenApi, instance, asked.code)) return response.writeHead(400).end()
    act(greenApi, entries, { instance, phone }, asked)
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

/** The owner types the code that the product shows. Spaces, dashes and case do not matter. @returns whether it was the right one */
function enterCode(greenApi: FakeGreenApi, { idInstance, state }: FakeInstance, code: string): boolean {
  const isRight = state === 'notAuthorized' && code.replace(/[\s-]/g, '').toUpperCase() === PHONE_CODE
  if (isRight) greenApi.scan(idInstance)
  return isRight
}

/** What the page does with either phone: writes as one of them, or changes the state of the account. */
function act(
  greenApi: FakeGreenApi,
  entries: PageEntry[],
  { instance, phone }: { instance: FakeInstance; phone: string },
  asked: { from: string; text: string; name: string; state: string },
): void {
  const { idInstance } = instance
  const state = STATES.find((known) => known === asked.state)
  if (state) greenApi.setState(idInstance, state)
  if (asked.text === '') return
  const from = asked.from === 'owner' ? ('owner' as const) : ('me' as const)
  entries.push({ idInstance, phone, from, text: asked.text, at: performance.now() })
  if (from === 'owner') greenApi.phoneSays(idInstance, phone, asked.text)
  else greenApi.customerSays(idInstance, { phone, name: asked.name }, asked.text)
}

/** The chat as the customer's phone shows it, oldest first, whether the number is typing, and how its account is. */
function chatState(greenApi: FakeGreenApi, entries: PageEntry[], instance: FakeInstance, phone: string) {
  const { idInstance, state } = instance
  const own = entries.filter((message) => message.idInstance === idInstance && message.phone === phone)
  const theirs = greenApi.sentTo(phone).filter((message) => message.idInstance === idInstance)
  const messages = [
    ...own.map(({ from, text, at }) => ({ from, text, at })),
    ...theirs.map(({ text, at }) => ({ from: 'agent', text, at })),
  ]
    .toSorted((a, b) => a.at - b.at)
    .map((message) => ({ ...message, at: Math.round(performance.timeOrigin + message.at) }))
  const typing = greenApi.typing.findLast((each) => each.idInstance === idInstance && each.chatId === `${phone}@c.us`)
  const answeredAt = performance.timeOrigin + (theirs.at(-1)?.at ?? 0)
  const isTyping = typing !== undefined && Date.now() - typing.at < 5000 && typing.at > answeredAt
  return { messages, isTyping, state }
}

/** Everything that a person types into the product to connect the instance. */
function shown({ idInstance, apiToken, phone, state }: FakeInstance) {
  return { idInstance, apiToken, phone, state }
}

async function readJson(
  request: IncomingMessage,
): Promise<{ from: string; text: string; name: string; state: string; code: string }> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = JSON.parse(body) as Record<string, unknown>
  const word = (name: string) => (typeof given[name] === 'string' ? given[name].trim() : '')
  return { from: word('from'), text: word('text'), name: word('name'), state: word('state'), code: word('code') }
}
