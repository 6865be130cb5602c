// A page on which a person plays a customer of a community of the fake VK, and somebody of the community who answers at VK itself, with the
// settings that show the key. For the demonstration.
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { preciseNow } from './precise-now.ts'
import type { FakeCommunity, FakeVk } from './vk.ts'

/** `from`: the customer, the community by its key, or a person of it. */
type Shown = { from: 'me' | 'key' | 'person'; text: string; at: number; buttons: { label: string; payload: string }[] }
type Said = Pick<Shown, 'text' | 'at'> & { userId: number; from: 'me' | 'person' }

const TYPING_MS = 5000

/** Starts the page for one community of the fake. @returns its address and how to stop it */
export async function startVkPage(vk: FakeVk, community: FakeCommunity, port: number) {
  const html = readFileSync(path.join(import.meta.dirname, 'vk-page.html'))
  const said: Said[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://page')
    if (url.pathname === '/') {
      return response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html)
    }
    if (url.pathname === '/state') {
      const state = stateOf(vk, community, said, Number(url.searchParams.get('user')))
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(state))
    }
    if (request.method !== 'POST') return response.writeHead(404).end()
    return response.writeHead(act(vk, community, said, url.pathname, await readAsked(request)) ? 200 : 400).end()
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
  vk: FakeVk,
  { groupId }: FakeCommunity,
  said: Said[],
  what: string,
  asked: Record<string, string>,
): boolean {
  const { user = '', text = '', payload = '' } = asked
  if (!/^\d{1,9}$/.test(user) || text === '') return false
  const customer = { id: Number(user), name: 'Гость Демонстрации' }
  const isPerson = what === '/answer'
  if (isPerson) vk.operatorSays(groupId, customer.id, text)
  else if (what === '/press') vk.press(groupId, customer, { label: text, payload })
  else if (what === '/say') vk.customerSays(groupId, customer, text)
  else return false
  said.push({ userId: customer.id, text, at: preciseNow(), from: isPerson ? 'person' : 'me' })
  return true
}

/** The chat as both sides see it, oldest first, and what the settings show of the community. */
function stateOf(vk: FakeVk, community: FakeCommunity, said: Said[], userId: number) {
  const { groupId, token, screenName, servers, longPoll } = community
  const sent = vk.sentTo(userId).filter((message) => message.groupId === groupId)
  const messages: Shown[] = [
    ...said
      .filter((message) => message.userId === userId)
      .map(({ from, text, at }) => ({ from, text, at, buttons: [] })),
    ...sent.map(({ text, at, buttons, file }) => ({
      from: 'key' as const,
      text: text || (file?.name ?? ''),
      at,
      buttons,
    })),
  ].toSorted((a, b) => a.at - b.at)
  const typed = vk.typing.findLast(({ peerId }) => peerId === userId)?.at ?? 0
  const isTyping = typed > (sent.at(-1)?.at ?? 0) && Date.now() - typed < TYPING_MS
  return { community: { token, screenName }, messages, isTyping, isConnected: longPoll.isEnabled || servers.length > 0 }
}

async function readAsked(request: IncomingMessage): Promise<Record<string, string>> {
  let body = ''
  for await (const chunk of request) body += chunk
  const given = Object.entries(JSON.parse(body) as Record<string, unknown>)
  return Object.fromEntries(given.map(([name, value]) => [name, typeof value === 'string' ? value.trim() : '']))
}
