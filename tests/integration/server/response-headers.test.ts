// Headers of every response, on any route, and the content security policy of the pages.
import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pagePolicy } from '#server/platform/lib/http/security-headers.ts'
import { loadStaticFiles } from '#server/platform/lib/http/static-files.ts'
import { type Person, startApp, type TestApp } from '#tests/app.ts'

const SITE = 'https://site.test'
const ROUTES = [
  'GET /livez',
  'GET /healthz',
  'GET /readyz',
  'GET /metrics',
  'GET /api/health',
  'GET /',
  'GET /agents',
  'GET /assets/missing.js',
  'GET /api/auth/get-session',
  'GET /api/auth/jwks',
  'GET /api/auth/token',
  'GET /api/auth/nothing',
  'POST /api/auth/sign-in/email',
  'POST /api/query',
  'POST /api/mutation',
  'POST /api/action',
  'POST /api/query_ts',
  'POST /api/debug_event',
  'GET /api/config',
  'GET /api/nothing',
  'POST /api/files/documents?knowledgeSpaceId=x&name=x.txt',
  'GET /files/avatars/00000000000000000000000000000000.webp',
  'GET /files/avatars/../../secret.key',
  'POST /webhooks/telegram/unknown',
  'GET /talk/unknown',
  'POST /api/webchat/unknown/session',
  'DELETE /anything',
  'OPTIONS /api/query',
]

let app: TestApp
let person: Person
beforeAll(async () => {
  app = await startApp({
    config: { publicUrl: 'https://parley.test', hasPublicUrl: true, allowedOrigins: [SITE] },
  })
  person = await app.signUp()
})
afterAll(() => app.close())

function ask(route: string, headers: Record<string, string> = {}) {
  const [method = '', target = ''] = route.split(' ')
  return fetch(app.url + target, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(method === 'POST' && { body: '{}' }),
    redirect: 'manual',
  })
}

describe('every response', () => {
  it.each(ROUTES)('%s carries the security headers and reveals nothing about the server', async (route) => {
    const answer = await ask(route)
    expect(answer.status).toBeLessThan(600)
    expect(answer.status, await answer.clone().text()).not.toBe(500)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': expect.stringMatching(/^strict-origin(-when-cross-origin)?$/),
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': expect.stringMatching(/^(same-origin|cross-origin)$/),
      'strict-transport-security': 'max-age=31536000',
      'permissions-policy': expect.stringContaining('camera=()'),
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(answer.headers.get('server')).toBeNull()
    expect(answer.headers.get('x-powered-by')).toBeNull()
  })

  it.each(ROUTES)('%s cannot be read by other origins, and shares no cookies', async (route) => {
    for (const origin of [
      'https://evil.test',
      'null',
      'https://site.test.evil.test',
      'https://parley.test.evil.test',
    ]) {
      const answer = await ask(route, { origin })
      expect(answer.headers.get('access-control-allow-origin'), origin).toBeNull()
      expect(answer.headers.get('access-control-allow-credentials'), origin).toBeNull()
    }
  })

  it('may be read by a configured site, which brings a token and no cookie', async () => {
    const answer = await ask('POST /api/query', { origin: SITE })
    expect(answer.headers.get('access-control-allow-origin')).toBe(SITE)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    const preflight = await ask('OPTIONS /api/auth/sign-in/email', {
      origin: SITE,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,authorization,better-auth-cookie',
    })
    expect(preflight.headers.get('access-control-allow-headers')).toContain('better-auth-cookie')
  })

  it('of the realtime calls needs a token: a cookie alone is anonymous', async () => {
    const body = JSON.stringify({ path: 'users:current', format: 'convex_encoded_json', args: [{}] })
    const call = (headers: Record<string, string>) =>
      fetch(`${app.url}/api/query`, {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/json', ...headers },
      })
    const withToken = await call({ authorization: `Bearer ${await person.token()}` })
    expect(withToken.status).toBe(200)
    const cookie = `__Secure-parley.session_token=${person.sessionToken}; parley.session_token=${person.sessionToken}`
    expect((await (await call({ cookie })).json()) as object).toMatchObject({ errorData: { code: 'unauthenticated' } })
  })
})

describe('the content security policy of the page', () => {
  it('allows exactly the page’s inline script', () => {
    const script = 'alert(1)'
    const hash = createHash('sha256').update(script).digest('base64')
    const policy = pagePolicy(`<script>${script}</script><script type="module" src="/x.js"></script>`)
    expect(policy).toMatch(new RegExp(`script-src 'self' 'sha256-${hash.replace(/[+/]/g, '\\$&')}';`))
    expect(policy).not.toContain('unsafe-eval')
    expect(policy.match(/script-src[^;]*/)?.[0]).not.toContain('unsafe-inline')
  })
})

describe('files of the web client', () => {
  it.each([
    '/nope.js',
    '/assets/nope.css',
    '/agents/nope.js.map',
    '/logo.png',
    '/robots.txt',
    '/wp-login.php',
    '/.env',
  ])('that do not exist are not found, and not served as a page: %s', async (target) => {
    const answer = await ask(`GET ${target}`)
    expect(answer.status).toBe(404)
    expect(await answer.json()).toEqual({ code: 'not_found' })
  })

  it.each(['/', '/agents', '/agents/version-2/settings', '/chats?q=notes.js'])(
    'yield to the page at %s',
    async (target) => {
      expect((await ask(`GET ${target}`)).status).not.toBe(404)
    },
  )

  it('are compressed, never sniffed, and cached by browsers when their name contains a hash', async () => {
    const folder = path.join(app.config.dataDir, 'web')
    await fs.mkdir(path.join(folder, 'assets'), { recursive: true })
    const script = 'export const x = 1\n'.repeat(500)
    await fs.writeFile(path.join(folder, 'assets', 'app-1a2b3c.js'), script)
    await fs.writeFile(path.join(folder, 'index.html'), '<!doctype html>')
    const files = await loadStaticFiles(folder)
    const get = (target: string, headers: Record<string, string> = {}) =>
      files.answer(target, new Request(`http://x${target}`, { headers }))
    const packed = await get('/assets/app-1a2b3c.js', { 'accept-encoding': 'gzip, br' })
    expect(packed?.headers.get('content-encoding')).toBe('br')
    expect(packed?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(Number(packed?.headers.get('content-length'))).toBeLessThan(script.length / 10)
    const plain = await get('/assets/app-1a2b3c.js')
    expect(await plain?.text()).toBe(script)
    const etag = plain?.headers.get('etag') ?? ''
    expect((await get('/assets/app-1a2b3c.js', { 'if-none-match': etag }))?.status).toBe(304)
    expect((await get('/index.html'))?.headers.get('cache-control')).toBe('no-cache')
    for (const target of ['/../secret.key', '/assets/../../x', '/assets', '/', '/%2e%2e/x']) {
      expect(await get(target), target).toBeUndefined()
    }
  })
})
