// Every HTTP route, who may send it a body, and of which size; the server reads no body from other clients.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BODY_MAX, BODY_MAX_ANONYMOUS } from '#server/platform/sync/limits.ts'
import { channelsWhere } from '#shared/channels/manifests.ts'
import {
  API_BODY_MAX_BYTES,
  ATTACHMENT_MAX_BYTES,
  AVATAR_MAX_BYTES,
  DOCUMENT_MAX_BYTES,
  HTTP_BODY_MAX_BYTES,
  TABLE_MAX_BYTES,
  WEBCHAT_FILE_MAX_BYTES,
  WEBHOOK_MAX_BYTES,
} from '#shared/limits.ts'
import { BRAND_PICTURE_MAX_BYTES } from '#shared/organizations/branding.ts'
import { type Person, startApp, type TestApp } from '#tests/app.ts'

const KB = 1024
/** The default limit of a route. */
const SMALL = 64 * KB

/** `who`: whom the route recognizes before it reads more than a small body. */
type Door = { who: string; maxBytes: number }
const ANYONE: Door = { who: 'anyone', maxBytes: SMALL }
const TOKEN: Door = { who: 'a token of the API', maxBytes: API_BODY_MAX_BYTES }
const CALL: Door = { who: `an account; anyone up to ${BODY_MAX_ANONYMOUS}`, maxBytes: BODY_MAX }

const DOORS: Record<string, Door> = {
  'ALL /api/query': CALL,
  'ALL /api/query_at_ts': CALL,
  'ALL /api/mutation': CALL,
  'ALL /api/action': CALL,
  'ALL /api/function': CALL,
  'ALL /api/query_ts': ANYONE,
  'ALL /api/debug_event': ANYONE,
  'ALL /api/auth/*': ANYONE,
  'ALL /api/shared-chats': { who: 'anyone', maxBytes: 8 * KB },
  'POST /api/shared-chats': { who: 'anyone', maxBytes: 8 * KB },
  [`POST /webhooks/:channel{${channelsWhere(({ door }) => door === 'webhooks').join('|')}}/:path`]: {
    who: 'who knows the path, and the secret where it stands in a header',
    maxBytes: WEBHOOK_MAX_BYTES,
  },
  'POST /api/channels/http/:connectionId/messages': { who: 'who signs', maxBytes: HTTP_BODY_MAX_BYTES },
  'POST /api/webchat/:key/session': ANYONE,
  'POST /api/webchat/:key/messages': ANYONE,
  'POST /api/webchat/:key/person': ANYONE,
  'POST /api/webchat/:key/files': { who: 'a visitor', maxBytes: WEBCHAT_FILE_MAX_BYTES },
  'POST /api/webchat/:key/rating': ANYONE,
  'POST /api/webchat/:key/probe': ANYONE,
  'POST /api/webchat/:key/typing': ANYONE,
  'POST /api/files/documents': { who: 'a member', maxBytes: DOCUMENT_MAX_BYTES },
  'POST /api/files/tables': { who: 'a member', maxBytes: TABLE_MAX_BYTES },
  'POST /api/files/uploads': { who: 'a member', maxBytes: ATTACHMENT_MAX_BYTES },
  'POST /api/files/pictures/person': { who: 'an account', maxBytes: AVATAR_MAX_BYTES },
  'POST /api/files/pictures/organization': { who: 'a member', maxBytes: AVATAR_MAX_BYTES },
  'POST /api/files/brands/installation/:picture': { who: 'an administrator', maxBytes: BRAND_PICTURE_MAX_BYTES },
  'POST /api/files/brands/organization/:picture': { who: 'a member', maxBytes: BRAND_PICTURE_MAX_BYTES },
  'POST /mcp': TOKEN,
  'ALL /mcp': ANYONE,
  'POST /api/v1/spaces/:spaceId/documents': { ...TOKEN, maxBytes: DOCUMENT_MAX_BYTES },
  'PUT /api/v1/documents/:documentId': { ...TOKEN, maxBytes: DOCUMENT_MAX_BYTES },
  'DELETE /api/v1/documents/:documentId': TOKEN,
  'POST /api/v1/spaces/:spaceId/notes': TOKEN,
  'PUT /api/v1/notes/:noteId': TOKEN,
  'DELETE /api/v1/notes/:noteId': TOKEN,
  'POST /api/v1/tables/:tableId/rows': TOKEN,
  'PUT /api/v1/tables/:tableId/rows/:number': TOKEN,
  'DELETE /api/v1/tables/:tableId/rows/:number': TOKEN,
}
/** Middleware before the routes, which answers nothing itself. */
const BEFORE_OTHERS = new Set(['ALL /*', 'ALL /api/*', 'ALL /api/v1/*', 'ALL /api/webchat/:key/*', 'ALL /readyz'])

/** More than any route accepts from a stranger, and more than the sockets buffer in transit. */
const HUGE = 17 * KB * KB
/** A small body, or that of a program which signs, plus what the network buffers with it. */
const READ_MAX = HTTP_BODY_MAX_BYTES + 4 * SMALL

/** Headers of an unknown program. */
const SIGNED = `webhook-id: 1\r\nwebhook-timestamp: ${Math.floor(Date.now() / 1000)}\r\nwebhook-signature: v1,eA==`

let app: TestApp
let person: Person
const sockets = new Map<number, net.Socket>()
const noteSocket = (message: unknown) => {
  const { socket } = message as { socket: net.Socket }
  sockets.set(socket.remotePort ?? 0, socket)
}

beforeAll(async () => {
  subscribe('net.server.socket', noteSocket)
  app = await startApp()
  person = await app.signUp()
})
afterAll(async () => {
  unsubscribe('net.server.socket', noteSocket)
  await app.close()
})

type Sent = { method: string; path: string; headers?: string[]; isChunked?: boolean; bytes?: number }

/** Sends a body for as long as it is read. @returns the status, and how many bytes the server has read */
async function send({ method, path, headers = [], isChunked = false, bytes = HUGE }: Sent) {
  const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const { localPort = 0 } = socket
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()))
  let answer = ''
  const answered = new Promise<void>((resolve) => {
    socket.on('data', (data) => {
      answer += data
      if (answer.includes('\r\n\r\n')) resolve()
    })
  })
  const length = isChunked ? 'transfer-encoding: chunked' : `content-length: ${bytes}`
  socket.write([`${method} ${path} HTTP/1.1`, 'host: localhost', length, ...headers, '', ''].join('\r\n'))
  const piece = Buffer.alloc(SMALL, 'x')
  const chunk = isChunked
    ? Buffer.concat([Buffer.from(`${SMALL.toString(16)}\r\n`), piece, Buffer.from('\r\n')])
    : piece
  const feed = async () => {
    for (let sent = 0; sent < bytes && socket.writable; sent += SMALL) {
      if (!socket.write(chunk)) await Promise.race([once(socket, 'drain').catch(() => {}), closed])
    }
  }
  await Promise.race([Promise.all([feed(), answered]), closed])
  await closed
  return { status: Number(answer.split(' ')[1]), bytesRead: sockets.get(localPort)?.bytesRead ?? Infinity }
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

/** An address that the route answers. */
function addressOf(path: string): string {
  return path
    .replace(/:channel\{[^}]*\}/, 'telegram')
    .replace(/:of\{[^}]*\}/, 'person')
    .replace(/:path$/, 'a'.repeat(43))
    .replace(/:\w+(\{[^}]*\})?/g, '0'.repeat(32))
    .replace('/api/auth/*', '/api/auth/sign-in/email')
}

it('every route that takes a body has its line in the table', () => {
  const taking = app.routes.filter(
    ({ method, path }) => method !== 'GET' && !BEFORE_OTHERS.has(nameOf({ method, path })),
  )
  expect([...new Set(taking.map(nameOf))].sort()).toEqual(Object.keys(DOORS).sort())
})

describe('a body of 17 MB from a stranger', () => {
  it.each(Object.keys(DOORS))('is refused unread: %s', async (name) => {
    const [method = '', path = ''] = name.split(' ')
    const target = { method: method === 'ALL' ? 'POST' : method, path: addressOf(path) }
    for (const isChunked of [false, true]) {
      const { status, bytesRead } = await send({ ...target, isChunked })
      expect(status).toBeGreaterThanOrEqual(400)
      expect(bytesRead).toBeLessThan(READ_MAX)
    }
  })

  it.each([
    ['a page', 'GET', '/agents'],
    ['a path that does not exist', 'POST', '/api/nothing'],
    ['a route that reads no body', 'GET', '/api/v1/spaces'],
    ['a method that is not known', 'PATCH', '/api/query'],
  ])('is not read for %s either', async (_, method, path) => {
    for (const isChunked of [false, true]) {
      expect((await send({ method, path, isChunked })).bytesRead).toBeLessThan(READ_MAX)
    }
  })

  it.each([
    ['with a token that is not valid', 'authorization: Bearer x.y.z'],
    ['with a session that does not exist', 'authorization: Bearer unknown'],
    ['with a cookie', 'cookie: parley.session_token=x.y'],
    ['with a made-up signature', SIGNED],
  ])('is not read %s', async (_, header) => {
    for (const name of Object.keys(DOORS)) {
      const [method = '', path = ''] = name.split(' ')
      const target = { method: method === 'ALL' ? 'POST' : method, path: addressOf(path) }
      expect((await send({ ...target, headers: [header], isChunked: true })).bytesRead).toBeLessThan(READ_MAX)
    }
  })
})

it('slow bodies of one address are buffered up to a limit, without affecting other addresses', async () => {
  const path = `/api/channels/http/${'0'.repeat(32)}/messages`
  const begin = async () => {
    const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1')
    socket.on('error', () => {})
    const headers = [
      'host: localhost',
      `content-length: ${HTTP_BODY_MAX_BYTES}`,
      'x-forwarded-for: 203.0.113.1',
      SIGNED,
    ]
    socket.write([`POST ${path} HTTP/1.1`, ...headers, '', '{'].join('\r\n'))
    const answer = once(socket, 'data').then(([data]) => String(data).split(' ')[1])
    return { socket, answer }
  }
  const count = (32 * KB * KB) / HTTP_BODY_MAX_BYTES
  const held = await Promise.all(Array.from({ length: count + 1 }, begin))
  expect(await Promise.race(held.map(({ answer }) => answer))).toBe('429')
  const ask = (address: string) =>
    fetch(`${app.url}${path}`, { method: 'POST', headers: { 'x-forwarded-for': address }, body: '{}' })
  expect((await ask('203.0.113.2')).status).toBe(401)
  for (const { socket } of held) socket.destroy()
  await vi.waitFor(async () => expect((await ask('203.0.113.1')).status).toBe(401), 20_000)
})

it('a body of the size that a user may send is read, and the connection is kept alive', async () => {
  const call = JSON.stringify({ path: 'conversations:list', args: { tag: 'x'.repeat(1_000_000) } })
  const answer = await fetch(`${app.url}/api/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${await person.token()}` },
    body: call,
  })
  expect(await answer.json()).toMatchObject({ errorData: { code: 'invalid_arguments' } })
  expect(answer.headers.get('connection')).toBe('keep-alive')
})
