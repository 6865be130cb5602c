// One hostile organization, or a stranger, in a process of its own: does one kind of thing as fast as it is let, until it is killed. It is as
// impolite as it can be towards the server and yields its processor to it: in earnest it would have a machine of its own.
import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import os from 'node:os'
import { setTimeout as wait } from 'node:timers/promises'
import { WebSocket } from 'ws'

export const ATTACKS = [
  'live queries',
  'HTTP queries',
  'webhooks',
  'visitors',
  'uploads',
  'exports',
  'searches',
  'strangers',
] as const
export type Attack = (typeof ATTACKS)[number]

/** `servers`: their addresses. `token`: of the hostile account. The rest is of its organization. */
export type AttackPlan = {
  attack: Attack
  servers: string[]
  token: string
  widgetKey: string
  spaceId: string
  conversationId: string
  webhook: { path: string; headers: Record<string, string> }
}

const AT_ONCE = 64
/** Of an upload: what a file of a customer may have. */
const FILE_BYTES = 4 * 1024 * 1024
/** More than one is let have, to see that the rest does no harm. */
const LIVE_QUERIES = 600
const SOCKETS = 4

type Send = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer }

if (process.argv[1]?.endsWith('neighbours.attack.ts')) {
  os.setPriority(19)
  process.stdout.write('{"url":""}\n')
  await run(JSON.parse(process.argv[2] ?? '{}') as AttackPlan)
}

async function run(plan: AttackPlan): Promise<void> {
  const { attack, token } = plan
  const bearer = { authorization: `Bearer ${token}` }
  const call = (kind: string, path: string, args: object, headers: Record<string, string> = bearer): Send => ({
    path: `/api/${kind}`,
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ path, format: 'convex_encoded_json', args: [args] }),
  })
  const list = (tag: string) =>
    call('query', 'conversations:list', { tag, paginationOpts: { numItems: 50, cursor: null } })
  switch (attack) {
    case 'live queries':
      for (let at = 0; at < SOCKETS; at++) followMany(plan, at, token)
      return visit(plan, 4)
    case 'HTTP queries':
      return repeat(plan, (at) => list(`tag ${at}`))
    case 'webhooks':
      return repeat(plan, (at) => ({ ...plan.webhook, body: telegramUpdate(at) }))
    case 'visitors':
      return visit(plan, AT_ONCE)
    case 'uploads': {
      const body = Buffer.alloc(FILE_BYTES, 'a line of text in a file\n')
      return repeat(plan, () => ({ path: '/api/files/uploads?name=a.txt', headers: bearer, body }), AT_ONCE / 4)
    }
    case 'exports': {
      const query = 'format=csv&language=ru&timeZone=UTC'
      return repeat(plan, () => ({
        method: 'GET',
        path: `/api/files/conversations/${plan.conversationId}?${query}`,
        headers: bearer,
      }))
    }
    case 'searches': {
      const inSpace = { knowledgeSpaceId: plan.spaceId, query: 'доставка по городу' }
      return repeat(plan, (at) =>
        at % 2 === 0
          ? call('query', 'knowledge/search:run', inSpace)
          : call('action', 'conversations:search', { query: 'доставка' }),
      )
    }
    case 'strangers':
      for (let at = 0; at < SOCKETS; at++) followMany(plan, at, null)
      return repeat(plan, (at) => call('query', at % 2 === 0 ? 'agents:list' : 'nothing:here', {}, from(at)))
    default:
      return attack satisfies never
  }
}

/** So many requests under way at any time. */
async function repeat(plan: AttackPlan, make: (index: number) => Send, atOnce = AT_ONCE): Promise<void> {
  let index = 0
  const loop = async () => {
    for (;;) {
      const at = index++
      const status = await send(plan.servers[at % plan.servers.length] ?? '', make(at)).catch(() => 0)
      if (status === 0 || status === 429) await wait(5)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
}

/** Visitors of the organization's chat, each with an address, who write without end. */
async function visit({ servers, widgetKey }: AttackPlan, count: number): Promise<void> {
  const loop = async (_: unknown, index: number) => {
    const base = `${servers[index % servers.length]}/api/webchat/${widgetKey}`
    for (let round = 0; ; round++) {
      const headers = { ...from(index * 1_000 + round), 'content-type': 'application/json' }
      const answer = await fetch(`${base}/session`, { method: 'POST', headers, body: '{}' }).catch(() => null)
      const { token = '' } = ((await answer?.json().catch(() => null)) ?? {}) as { token?: string }
      for (let message = 0; message < 20; message++) {
        const body = JSON.stringify({ id: randomUUID(), text: 'Сколько стоит доставка?', language: 'ru', files: [] })
        const written = await fetch(`${base}/messages`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${token}` },
          body,
        })
          .then((response) => response.arrayBuffer().then(() => response.status))
          .catch(() => 0)
        if (written !== 200 && written !== 201 && written !== 202) await wait(20)
      }
    }
  }
  await Promise.all(Array.from({ length: count }, loop))
}

/** A socket that follows queries, each with arguments of its own, and opens again whenever it is closed. */
function followMany(plan: AttackPlan, at: number, token: string | null): void {
  const socket = new WebSocket(`${plan.servers[at % plan.servers.length]?.replace('http', 'ws')}/api/1.48.0/sync`)
  socket.on('error', () => {})
  socket.on('close', () => void wait(100).then(() => followMany(plan, at, token)))
  socket.on('open', () => {
    const say = (message: object) => socket.send(JSON.stringify(message))
    say({ type: 'Connect', sessionId: randomUUID(), connectionCount: 0, clientTs: Date.now() })
    if (token !== null) say({ type: 'Authenticate', tokenType: 'User', value: token, baseVersion: 0 })
    const args = (queryId: number) => ({ tag: `${at} ${queryId}`, paginationOpts: { numItems: 50, cursor: null } })
    const modifications = Array.from({ length: LIVE_QUERIES }, (_, queryId) => {
      return { type: 'Add', queryId, udfPath: 'conversations:list', args: [args(queryId)] }
    })
    const some = token === null ? modifications.slice(0, 300) : modifications
    say({ type: 'ModifyQuerySet', baseVersion: 0, newVersion: 1, modifications: some })
  })
}

function telegramUpdate(at: number): string {
  const person = { id: 9_000_000 + (at % 500), is_bot: false, first_name: 'H' }
  const message = {
    message_id: at,
    date: Math.floor(Date.now() / 1_000),
    chat: { ...person, type: 'private' },
    from: person,
    text: 'Доставка?',
  }
  return JSON.stringify({ update_id: 50_000_000 + at, message })
}

/** An address of its own for everybody. */
function from(index: number): Record<string, string> {
  return { 'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}` }
}

const agent = new Agent({ keepAlive: true, maxSockets: 256 })

/** @returns the status */
function send(base: string, { method = 'POST', path, headers = {}, body }: Send): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(`${base}${path}`, { method, agent, headers }, (response) => {
      response.resume()
      response.once('end', () => resolve(response.statusCode ?? 0))
    })
    outgoing.once('error', reject)
    outgoing.end(body)
  })
}
