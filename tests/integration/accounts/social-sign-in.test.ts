// "Continue with Google" against a real OpenID provider, on the same origin and for a site on another one.
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'
import { type FakeOidc, startFakeOidc } from '#tests/fakes/oidc.ts'

const PUBLIC_URL = 'http://parley.test'
const SITE = 'https://site.test'
let oidc: FakeOidc
let counter = 0

beforeAll(async () => {
  oidc = await startFakeOidc(`${PUBLIC_URL}/api/auth/callback/google`)
})
afterAll(() => oidc.close())
beforeEach(() => {
  const sub = `person-${++counter}`
  oidc.person = { sub, email: `${sub}@example.test`, emailVerified: true, name: 'Айгуль' }
})

function start(allowedOrigins: string[] = []) {
  const googleSignIn = { clientId: oidc.clientId, clientSecret: oidc.clientSecret, issuer: oidc.issuer }
  return startApp({ config: { googleSignIn, allowedOrigins, publicUrl: PUBLIC_URL, hasPublicUrl: true } })
}

/** A browser's cookies, each sent to the host that set it. */
class Browser {
  readonly app: TestApp
  readonly #jars = new Map<string, Map<string, string>>()
  constructor(app: TestApp) {
    this.app = app
  }

  /** One request without following redirects. Our public address leads to the server under test. */
  async go(url: string, init: RequestInit = {}): Promise<Response> {
    const { host } = new URL(url)
    const jar = this.#jars.get(host) ?? new Map<string, string>()
    this.#jars.set(host, jar)
    const headers = new Headers(init.headers)
    if (jar.size > 0) headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '))
    const answer = await fetch(url.replace(PUBLIC_URL, this.app.url), { ...init, headers, redirect: 'manual' })
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
    }
    return answer
  }

  /** Returns the provider's authorization address. */
  async begin(body: object = {}): Promise<Response> {
    return this.go(`${PUBLIC_URL}/api/auth/sign-in/social`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: PUBLIC_URL },
      body: JSON.stringify({ provider: 'google', callbackURL: '/agents', ...body }),
    })
  }

  /** Completes the provider's flow. @returns the address that it redirects to */
  async walk(url: string): Promise<string> {
    let next = url
    for (let hop = 0; hop < 10; hop++) {
      const location = (await this.go(next)).headers.get('location')
      if (!location) throw new Error(`no redirect from ${next}`)
      next = new URL(location, next).toString()
      if (next.startsWith(PUBLIC_URL)) return next
    }
    throw new Error('the provider redirects in circles')
  }

  async session() {
    return (await this.go(`${PUBLIC_URL}/api/auth/get-session`)).json()
  }
}

const urlOf = async (answer: Response) => ((await answer.json()) as { url: string }).url

describe('on the same origin', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await start()
  })
  afterAll(() => app.close())

  it('is offered to the sign-in screens', async () => {
    expect(await (await fetch(`${app.url}/api/config`)).json()).toMatchObject({ googleSignIn: true })
  })

  it('creates an account from the provider’s profile, without its picture', async () => {
    const browser = new Browser(app)
    const back = await browser.walk(await urlOf(await browser.begin()))
    const answer = await browser.go(back)
    expect(answer.headers.get('location')).toBe('/agents')
    expect(await browser.session()).toMatchObject({
      user: { email: oidc.person.email, name: 'Айгуль', emailVerified: true, image: '' },
    })
  })

  it('signs the same person in again, even if their address has changed', async () => {
    const [first, second] = [new Browser(app), new Browser(app)]
    await first.go(await first.walk(await urlOf(await first.begin())))
    oidc.person = { ...oidc.person, email: `moved-${oidc.person.email}` }
    await second.go(await second.walk(await urlOf(await second.begin())))
    const ids = await Promise.all([first.session(), second.session()])
    expect(ids[1]).toMatchObject({ user: { id: (ids[0] as { user: { id: string } }).user.id } })
  })

  it('never links an account with an unverified address', async () => {
    const squatter = await app.signUp({ email: oidc.person.email, organization: null })
    const browser = new Browser(app)
    const answer = await browser.go(await browser.walk(await urlOf(await browser.begin())))
    expect(answer.headers.get('location')).toMatch(/\/signin\?error=account_not_linked/)
    expect(await browser.session()).toBeNull()
    const accounts = await app.database.root
      .selectFrom('accounts')
      .where('user_id', '=', squatter.user._id)
      .select('provider_id')
      .execute()
    expect(accounts).toEqual([{ provider_id: 'credential' }])
  })

  it('does not link a verified account when the provider has not verified the address', async () => {
    const owner = await app.signUp({ email: oidc.person.email, organization: null })
    await app.database.root
      .updateTable('users')
      .set({ email_verified: true })
      .where('id', '=', owner.user._id)
      .execute()
    oidc.person.emailVerified = false
    const browser = new Browser(app)
    const answer = await browser.go(await browser.walk(await urlOf(await browser.begin())))
    expect(answer.headers.get('location')).toMatch(/error=account_not_linked/)
  })

  it('refuses a callback of another browser’s flow, an altered one, and a used one', async () => {
    const [mine, theirs] = [new Browser(app), new Browser(app)]
    const back = await mine.walk(await urlOf(await mine.begin()))
    expect((await theirs.go(back)).headers.get('location')).toMatch(/error=/)
    expect(await theirs.session()).toBeNull()
    const fresh = new Browser(app)
    const other = new URL(await fresh.walk(await urlOf(await fresh.begin())))
    await fresh.go(other.toString())
    expect((await fresh.go(other.toString())).headers.get('location')).toMatch(/error=/)
    other.searchParams.set('state', 'x'.repeat(32))
    expect((await fresh.go(other.toString())).headers.get('location')).toMatch(/error=/)
  })

  it('redirects only to our own origin', async () => {
    for (const callbackURL of ['https://evil.test/', '//evil.test', 'javascript:alert(1)', '/\\evil.test']) {
      expect((await new Browser(app).begin({ callbackURL })).status, callbackURL).toBe(403)
    }
  })

  it('stores the provider’s tokens encrypted', async () => {
    const browser = new Browser(app)
    await browser.go(await browser.walk(await urlOf(await browser.begin())))
    const row = await app.database.root
      .selectFrom('accounts')
      .where('provider_id', '=', 'google')
      .where('account_id', '=', oidc.person.sub)
      .select('access_token')
      .executeTakeFirstOrThrow()
    expect(row.access_token).toMatch(/^[0-9a-f]{80,}$/)
  })
})

describe('for a site on another origin', () => {
  let app: TestApp
  beforeAll(async () => {
    app = await start([SITE])
  })
  afterAll(() => app.close())

  const verifier = randomBytes(32).toString('base64url')
  const ottChallenge = createHash('sha256').update(verifier).digest('base64url')

  async function oneTimeToken(): Promise<string> {
    const browser = new Browser(app)
    const url = await urlOf(await browser.begin({ additionalData: { ottChallenge } }))
    const answer = await new Browser(app).go(await browser.walk(url))
    const target = new URL(answer.headers.get('location') ?? '')
    expect(target.origin).toBe(SITE)
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer')
    return target.searchParams.get('ott') ?? ''
  }
  const verify = (token: unknown, by: unknown = verifier) =>
    app.auth('/cross-domain/one-time-token/verify', { body: { token, verifier: by } })

  it('returns session and user for the one-time token, once', async () => {
    const token = await oneTimeToken()
    const answers = await Promise.all([verify(token), verify(token), verify(token)])
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400, 400])
    const good = answers.find((answer) => answer.ok)
    const body = (await good?.json()) as { session: { token: string }; user: { email: string } }
    expect(body.user.email).toBe(oidc.person.email)
    expect((await app.auth('/token', { token: body.session.token })).status).toBe(200)
  })

  it('invalidates a token that comes with the wrong verifier', async () => {
    const token = await oneTimeToken()
    expect((await verify(token, 'guessed')).status).toBe(400)
    expect((await verify(token)).status).toBe(400)
  })

  it.each([null, '', [], {}, 'unknown', ['a'], 0])('refuses %j as a token', async (token) => {
    expect((await verify(token)).status).toBe(400)
  })

  it('refuses an expired token, and keeps tokens only as hashes', async () => {
    const token = await oneTimeToken()
    const rows = await app.database.root.selectFrom('verifications').select(['identifier', 'value']).execute()
    expect(JSON.stringify(rows)).not.toContain(token)
    await app.database.root
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    expect((await verify(token)).status).toBe(400)
  })

  it('needs no verifier where sign-in began without a challenge, and refuses an invalid one', async () => {
    const browser = new Browser(app)
    const target = await new Browser(app).go(await browser.walk(await urlOf(await browser.begin())))
    const token = new URL(target.headers.get('location') ?? '').searchParams.get('ott') ?? ''
    const answer = await app.auth('/cross-domain/one-time-token/verify', { body: { token } })
    const { session } = (await answer.json()) as { session: { token: string } }
    expect((await app.auth('/token', { token: session.token })).status).toBe(200)
    expect((await new Browser(app).begin({ additionalData: { ottChallenge: '' } })).status).toBe(400)
  })

  it('carries cookies in headers of their own, and exposes them to that site only', async () => {
    const { email } = await app.signUp({ organization: null })
    const headers = { 'better-auth-cookie': '', origin: SITE }
    const signedIn = await app.auth('/sign-in/email', { body: { email, password: PASSWORD }, headers })
    expect(signedIn.headers.get('set-cookie')).toBeNull()
    const cookie = signedIn.headers.get('set-better-auth-cookie')?.split(';')[0] ?? ''
    expect(signedIn.headers.get('access-control-allow-origin')).toBe(SITE)
    expect(signedIn.headers.get('access-control-allow-credentials')).toBeNull()
    const session = await app.auth('/get-session', { headers: { 'better-auth-cookie': cookie, origin: SITE } })
    expect(await session.json()).toMatchObject({ user: { email } })
    const elsewhere = await app.auth('/get-session', { headers: { origin: 'https://evil.test' } })
    expect(elsewhere.headers.get('access-control-allow-origin')).toBeNull()
  })
})

it('without a configured site names the variable that sets it', async () => {
  const app = await start()
  const answer = await app.auth('/cross-domain/one-time-token/verify', { body: { token: 'x' } })
  expect([answer.status, await answer.json()]).toMatchObject([
    404,
    { code: 'CROSS_DOMAIN_OFF', message: expect.stringContaining('ALLOWED_ORIGINS') },
  ])
  await app.close()
})

describe('without keys', () => {
  it('there is no social sign-in', async () => {
    const app = await startApp()
    const answer = await app.auth('/sign-in/social', { body: { provider: 'google' } })
    expect(answer.status).toBe(404)
    expect(await (await fetch(`${app.url}/api/config`)).json()).toMatchObject({ googleSignIn: false })
    await app.close()
  })
})
