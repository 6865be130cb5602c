// Every route, with every kind of invalid request: the answer is JSON with a code.
import net from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startApp({ config: { allowedOrigins: ['https://site.test'] } })
  person = await app.signUp()
})
afterAll(() => app.close())

const AUTH = [
  'sign-up/email',
  'sign-in/email',
  'sign-in/social',
  'callback/google',
  'sign-out',
  'list-sessions',
  'revoke-session',
  'revoke-sessions',
  'revoke-other-sessions',
  'change-password',
  'update-user',
  'delete-user',
  'verify-email',
  'send-verification-email',
  'token',
  'cross-domain/one-time-token/verify',
  'reset-password',
  'nowhere',
]
const UNKNOWN = [
  '/api',
  '/api/',
  '/api/nowhere',
  '/api/v1/nowhere',
  '/api/webchat/x/nowhere',
  '/webhooks',
  '/webhooks/telegram',
  '/webhooks/unknown/x',
  '/files/nowhere',
  '/api/%E0%A4%A',
]

/** Addresses of all routes, with something in the place of each parameter. */
function addresses(): string[] {
  const routes = app.routes
    .map(({ path }) => path)
    .filter((path) => /^\/(api|webhooks|files)\//.test(path) && !path.endsWith('*'))
  const filled = routes.map((path) =>
    path
      .replace(/\{([^}|]*)[^}]*\}/g, '')
      .replace(/:channel/, 'telegram')
      .replace(/:\w+/g, 'x'),
  )
  return [...new Set([...filled, ...AUTH.map((path) => `/api/auth/${path}`), ...UNKNOWN])]
}

type Kind = { what: string; method: string; body?: string; headers?: Record<string, string> }
const JSON_TYPE = { 'content-type': 'application/json' }
const KINDS: Kind[] = [
  { what: 'GET', method: 'GET' },
  { what: 'DELETE', method: 'DELETE' },
  { what: 'PATCH', method: 'PATCH', body: '{}', headers: JSON_TYPE },
  { what: 'no body', method: 'POST' },
  { what: 'broken JSON', method: 'POST', body: '{"a":', headers: JSON_TYPE },
  { what: 'a list', method: 'POST', body: '[1]', headers: JSON_TYPE },
  { what: 'an empty object', method: 'POST', body: '{}', headers: JSON_TYPE },
  { what: 'a text', method: 'POST', body: 'hello', headers: { 'content-type': 'text/plain' } },
  { what: 'a form', method: 'POST', body: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  { what: 'too much', method: 'POST', body: `{"a":"${'x'.repeat(100_000)}"}`, headers: JSON_TYPE },
]

describe.each(['a stranger', 'an account'])('%s', (who) => {
  it.each(KINDS)('is refused $what in JSON with a code everywhere', async ({ method, body, headers }) => {
    const faults: string[] = []
    for (const address of addresses()) {
      const answer = await fetch(app.url + address, {
        method,
        redirect: 'manual',
        headers: {
          'x-forwarded-for': `10.1.${Math.floor(Math.random() * 255)}.${Math.floor(Math.random() * 255)}`,
          ...headers,
          ...(who === 'an account' &&
            !address.includes('/auth/') && { authorization: `Bearer ${person.sessionToken}` }),
        },
        ...(body !== undefined && { body }),
      }).catch((error: Error) => error)
      if (answer instanceof Error) {
        faults.push(`${address}: ${String(answer)}`)
        continue
      }
      if (answer.status >= 400) faults.push(...(await faultsOf(address, answer)))
      else await answer.body?.cancel()
    }
    expect(faults).toEqual([])
  })
})

async function faultsOf(address: string, answer: Response): Promise<string[]> {
  const text = await answer.text()
  const isJson = /^application\/json/.test(answer.headers.get('content-type') ?? '')
  const found = isJson ? (JSON.parse(text) as { code?: unknown; status?: unknown; errorData?: { code?: unknown } }) : {}
  const code = answer.status === 560 ? found.errorData?.code : found.code
  const isExpected = answer.status < 500 || answer.status === 560
  return typeof code === 'string' && isExpected ? [] : [`${address}: ${answer.status} ${text.slice(0, 80)}`]
}

it.each([
  ['GET', '/api/query', 405, 'method_not_allowed'],
  ['POST', '/api/mutation', 400, 'invalid_arguments'],
  ['GET', '/mcp', 405, 'method_not_allowed'],
  ['GET', '/api/auth/sign-out', 405, 'METHOD_NOT_ALLOWED'],
  ['POST', '/api/auth/nowhere', 404, 'NOT_FOUND'],
  ['POST', '/api/nowhere', 404, 'not_found'],
])('%s %s answers %d %s', async (method, path, status, code) => {
  const answer = await fetch(app.url + path, { method, ...(method === 'POST' && { body: 'x' }) })
  expect([answer.status, await answer.json()]).toMatchObject([status, { code }])
})

it('an account update without changes is refused', async () => {
  for (const body of [{}, { other: 1 }]) {
    const answer = await app.auth('/update-user', { token: person.sessionToken, body })
    expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'NOTHING_TO_CHANGE' }])
  }
})

it.each(AUTH.filter((path) => !/^(sign-out|revoke-(other-)?sessions)$/.test(path)))(
  '/api/auth/%s refuses what the database cannot store',
  async (path) => {
    const body = Object.fromEntries(
      ['name', 'email', 'id', 'token', 'password', 'newPassword'].map((key) => [key, 'a\0']),
    )
    const answer = await app.auth(`/${path}`, { token: person.sessionToken, body })
    expect(answer.status).toBeLessThan(500)
  },
)

it.each([
  ['/update-user', { name: 'a\0' }],
  ['/update-user', { name: '\ud800' }],
  ['/revoke-session', { id: 'a\0' }],
  ['/sign-up/email', { name: 'a\0', email: 'nul@example.com', password: 'correct horse 12' }],
])('%s with %j is refused with a code', async (path, body) => {
  const answer = await app.auth(path, { token: person.sessionToken, body })
  expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'VALIDATION_ERROR' }])
})

it.each([
  ['what is no HTTP', 'HELLO\r\n\r\n', 400],
  ['headers without end', `GET / HTTP/1.1\r\nhost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 431],
])('a connection that sends %s is answered in JSON', async (_what, sent, status) => {
  const socket = net.connect(Number(new URL(app.url).port), '127.0.0.1')
  let heard = ''
  socket.on('data', (part) => {
    heard += part
  })
  socket.write(sent)
  await new Promise((done) => socket.on('close', done).on('error', done))
  expect(heard).toContain(`HTTP/1.1 ${status} `)
  expect(heard).toMatch(/\{"code":"\w+"\}$/)
})
