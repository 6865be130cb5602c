// The sign-in service over HTTP, as browsers and scripts use it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SIGN_IN_ATTEMPTS } from '#server/platform/auth/guesses.ts'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let counter = 0
const newEmail = () => `person-${++counter}@example.test`

beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

async function signUp(email = newEmail()) {
  const answer = await app.auth('/sign-up/email', { body: { email, password: PASSWORD } })
  expect(answer.status).toBe(200)
  const { token, user } = (await answer.json()) as { token: string; user: { id: string; name: string; role: string } }
  return { email, token, user, cookie: answer.headers.get('set-cookie') ?? '' }
}

const session = async (token: string) => (await app.auth('/get-session', { token })).json()

describe('signing up', () => {
  it('needs no name and returns a session token and an HttpOnly cookie', async () => {
    const { token, user, cookie } = await signUp('somebody@example.test')
    expect(user.name).toBe('somebody')
    expect(cookie).toMatch(/HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(await session(token)).toMatchObject({ user: { email: 'somebody@example.test' } })
  })

  it.each([
    ['a password of seven characters', { password: 'abcdefg' }, 'PASSWORD_TOO_SHORT'],
    ['an address without @', { email: 'nobody' }, 'VALIDATION_ERROR'],
    ['a role', { role: 'admin' }, 'FIELD_NOT_ALLOWED'],
    ['a picture from elsewhere', { image: 'https://example.com/x.png' }, 'INVALID_PROFILE'],
    ['a name of 101 characters', { name: 'x'.repeat(101) }, 'INVALID_PROFILE'],
  ])('refuses %s', async (_what, change, code) => {
    const answer = await app.auth('/sign-up/email', { body: { email: newEmail(), password: PASSWORD, ...change } })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(await answer.json()).toMatchObject({ code })
  })

  it('accepts a password of eight characters that is hard to guess', async () => {
    const answer = await app.auth('/sign-up/email', { body: { email: newEmail(), password: 'vT4#hq9!' } })
    expect(answer.status).toBe(200)
  })

  it.each(['password', '12345678', 'aaaaaaaa', 'Qwertyuiop', 'anna.petrova'])(
    'refuses %s as a password',
    async (password) => {
      const body = { email: 'anna.petrova@example.test', password }
      const answer = await app.auth('/sign-up/email', { body })
      expect([answer.status, await answer.json()]).toMatchObject([400, { code: 'PASSWORD_TOO_COMMON' }])
    },
  )

  it('answers alike for an address that has an account, in any case of letters, and grants no session', async () => {
    const { email } = await signUp()
    const ask = (address: string) =>
      app.auth('/sign-up/email', { body: { email: address, password: 'another good password', name: 'Марат' } })
    const [known, unknown] = [await ask(email.toUpperCase()), await ask(newEmail())]
    const [decoy, created] = (await Promise.all([known.json(), unknown.json()])) as { token: string; user: object }[]
    expect(known.status).toBe(unknown.status)
    expect(shapeOf(decoy)).toEqual(shapeOf(created))
    expect(decoy).toMatchObject({ user: { email, name: 'Марат', emailVerified: false } })
    expect([...known.headers.keys()].sort()).toEqual([...unknown.headers.keys()].sort())
    expect(attributesOf(known)).toEqual(attributesOf(unknown))
    expect(await session(decoy?.token ?? '')).toBeNull()
    expect(await session(created?.token ?? '')).not.toBeNull()
    const people = await app.database.root.selectFrom('users').where('email', 'like', '%.invalid').selectAll().execute()
    expect(people).toEqual([])
  })

  it('signs in with the password of the existing account', async () => {
    const { email, user } = await signUp()
    const answer = await app.auth('/sign-up/email', { body: { email, password: PASSWORD, name: 'Else' } })
    const { token } = (await answer.json()) as { token: string }
    expect(await session(token)).toMatchObject({ user: { id: user.id, name: user.name } })
  })

  it('cannot be used to guess passwords either', async () => {
    const { email } = await signUp()
    const guess = (password: string) => app.auth('/sign-up/email', { body: { email, password } })
    for (let i = 0; i < SIGN_IN_ATTEMPTS; i++) expect((await guess(`wrong password ${i}`)).status).toBe(200)
    expect((await guess(PASSWORD)).status).toBe(429)
    expect((await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })).status).toBe(429)
  })
})

/** Names and kinds of values, in their order. */
function shapeOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null)
    return value === null ? 'null' : `${typeof value} ${String(value).length > 30}`
  return Object.entries(value).map(([key, inner]) => [key, key === 'email' || key === 'name' ? '' : shapeOf(inner)])
}

const attributesOf = (answer: Response) => (answer.headers.get('set-cookie') ?? '').replace(/=[^;]+/, '=')

describe('signing in', () => {
  it('returns a session token in the body', async () => {
    const { email } = await signUp()
    const answer = await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
    const { token } = (await answer.json()) as { token: string }
    expect(await session(token)).toMatchObject({ user: { email } })
  })

  it('answers alike for a wrong password and an unknown address', async () => {
    const { email } = await signUp()
    const answers = await Promise.all(
      [email, newEmail()].map((address) =>
        app.auth('/sign-in/email', { body: { email: address, password: 'not the password' } }),
      ),
    )
    expect(answers.map((answer) => answer.status)).toEqual([401, 401])
    expect(await answers[0]?.json()).toEqual(await answers[1]?.json())
  })

  it('blocks guessing at one account from many addresses, even with the right password', async () => {
    const { email } = await signUp()
    const guess = (password: string) => app.auth('/sign-in/email', { body: { email, password } })
    for (let i = 0; i < SIGN_IN_ATTEMPTS; i++) expect((await guess(`wrong password ${i}`)).status).toBe(401)
    expect((await guess('one more guess')).status).toBe(429)
    expect((await guess(PASSWORD)).status).toBe(429)
  })

  it('still works from a device that has signed in before, where guessing has its own limit', async () => {
    const email = newEmail()
    const home = { 'x-forwarded-for': '203.0.113.77' }
    await app.auth('/sign-up/email', { body: { email, password: PASSWORD }, headers: home })
    const guess = (password: string, headers = {}) => app.auth('/sign-in/email', { body: { email, password }, headers })
    for (let i = 0; i <= SIGN_IN_ATTEMPTS; i++) await guess(`wrong password ${i}`)
    expect((await guess(PASSWORD)).status).toBe(429)
    expect((await guess(PASSWORD, home)).status).toBe(200)
    for (let i = 0; i < SIGN_IN_ATTEMPTS; i++) expect((await guess(`wrong password ${i}`, home)).status).toBe(401)
    expect((await guess(PASSWORD, home)).status).toBe(429)
  })

  it('resets failures after a correct password', async () => {
    const { email } = await signUp()
    for (let round = 0; round < 2; round++) {
      for (let i = 1; i < SIGN_IN_ATTEMPTS; i++) {
        await app.auth('/sign-in/email', { body: { email, password: 'wrong password' } })
      }
      expect((await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })).status).toBe(200)
    }
  })

  it('limits one address, no matter its forwarding headers', async () => {
    const statuses = []
    for (let i = 0; i < 40; i++) {
      const headers = { 'x-forwarded-for': `${i}.1.1.1, 203.0.113.9`, 'x-parley-client-address': `10.9.9.${i}` }
      const answer = await app.auth('/sign-in/email', { body: { email: newEmail(), password: PASSWORD }, headers })
      statuses.push(answer.status)
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(30)
    expect(statuses.slice(30)).toEqual(Array(10).fill(429))
  })
})

describe('a session', () => {
  it('is stored as a hash that cannot be used as a token, and no response contains its token', async () => {
    const { token, user, cookie } = await signUp()
    const stored = await app.database.root
      .selectFrom('sessions')
      .where('user_id', '=', user.id as never)
      .select('token')
      .executeTakeFirstOrThrow()
    expect(stored.token).not.toContain(token)
    expect(await session(stored.token)).toBeNull()
    const answers = [
      await app.auth('/get-session', { token }),
      await app.auth('/get-session', { headers: { cookie: cookie.split(';')[0] ?? '' } }),
      await app.auth('/list-sessions', { token }),
    ]
    for (const answer of answers) {
      const text = await answer.text()
      expect(text).toContain('userAgent')
      expect(text).not.toMatch(/token/i)
    }
  })

  it('ends on sign-out', async () => {
    const { token } = await signUp()
    expect((await app.auth('/sign-out', { token, method: 'POST' })).status).toBe(200)
    expect(await session(token)).toBeNull()
    expect((await app.auth('/token', { token })).status).toBe(401)
  })

  it('is listed, and can be revoked one by one, all others, or all', async () => {
    const { email, token } = await signUp()
    const signIn = async () => {
      const answer = await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
      return ((await answer.json()) as { token: string }).token
    }
    const [second, third, fourth] = [await signIn(), await signIn(), await signIn()]
    const listed = (await (await app.auth('/list-sessions', { token })).json()) as { id: string }[]
    expect(listed).toHaveLength(4)
    const idOf = async (held: string) => ((await session(held)) as { session: { id: string } }).session.id
    expect(listed.map(({ id }) => id)).toContain(await idOf(second))
    await app.auth('/revoke-session', { token, body: { id: await idOf(second) } })
    expect(await session(second)).toBeNull()
    const fifth = await signIn()
    await app.auth('/revoke-session', { token, body: { token: fifth } })
    expect(await session(fifth)).toBeNull()
    expect((await app.auth('/revoke-session', { token, body: {} })).status).toBe(400)
    await app.auth('/revoke-other-sessions', { token: third, body: {} })
    expect(await session(fourth)).toBeNull()
    expect(await session(token)).toBeNull()
    await app.auth('/revoke-sessions', { token: third, body: {} })
    expect(await session(third)).toBeNull()
  })

  it('of another user cannot be revoked', async () => {
    const [mine, theirs] = [await signUp(), await signUp()]
    const { session: their } = (await session(theirs.token)) as { session: { id: string } }
    await app.auth('/revoke-session', { token: mine.token, body: { token: theirs.token } })
    await app.auth('/revoke-session', { token: mine.token, body: { id: their.id } })
    expect(await session(theirs.token)).not.toBeNull()
  })

  it('on another device ends when the password changes, and the one that changes it stays valid', async () => {
    const { email, token } = await signUp()
    const signedIn = await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
    const { token: elsewhere } = (await signedIn.json()) as { token: string }
    const newPassword = 'a different good password'
    const change = (currentPassword: string) =>
      app.auth('/change-password', { token, body: { currentPassword, newPassword, revokeOtherSessions: false } })
    const weak = await app.auth('/change-password', {
      token,
      body: { currentPassword: PASSWORD, newPassword: 'Password1' },
    })
    expect([weak.status, await weak.json()]).toMatchObject([400, { code: 'PASSWORD_TOO_COMMON' }])
    expect((await change('not the password')).status).toBe(400)
    expect(await session(elsewhere)).not.toBeNull()
    expect((await change(PASSWORD)).status).toBe(200)
    expect(await session(token)).not.toBeNull()
    expect(await session(elsewhere)).toBeNull()
    expect((await app.auth('/token', { token: elsewhere })).status).toBe(401)
    expect((await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })).status).toBe(401)
    expect((await app.auth('/sign-in/email', { body: { email, password: newPassword } })).status).toBe(200)
  })

  it('used by cookie changes nothing for a page of another origin', async () => {
    const { token, cookie } = await signUp()
    for (const origin of ['https://evil.test', 'null', `${app.url}.evil.test`]) {
      const headers = { cookie: cookie.split(';')[0] ?? '', origin }
      const answer = await app.auth('/sign-out', { method: 'POST', headers })
      expect(answer.status, origin).toBe(403)
    }
    expect(await session(token)).not.toBeNull()
  })
})

describe('an account', () => {
  it('changes its name, never its role, address or verification', async () => {
    const { token } = await signUp()
    expect((await app.auth('/update-user', { token, body: { name: 'Марат' } })).status).toBe(200)
    for (const body of [{ role: 'admin' }, { email: 'other@example.test' }, { emailVerified: true }, { id: 'x' }]) {
      const answer = await app.auth('/update-user', { token, body })
      expect(answer.status, JSON.stringify(body)).toBe(400)
    }
    expect(await session(token)).toMatchObject({ user: { name: 'Марат', role: 'user', emailVerified: false } })
  })

  it('is deleted with its password only, and its organization with it', async () => {
    const { sessionToken, user } = await app.signUp()
    for (const [body, code] of [
      [{}, 'PASSWORD_REQUIRED'],
      [{ password: '' }, 'PASSWORD_REQUIRED'],
      [{ password: 'not the password' }, 'INVALID_PASSWORD'],
    ] as const) {
      const refused = await app.auth('/delete-user', { token: sessionToken, body })
      expect(refused.status).toBe(400)
      expect(await refused.json()).toMatchObject({ code })
    }
    expect(await session(sessionToken)).not.toBeNull()
    const deleted = await app.auth('/delete-user', { token: sessionToken, body: { password: PASSWORD } })
    expect(deleted.status).toBe(200)
    expect(await session(sessionToken)).toBeNull()
    const left = await app.database.root
      .selectFrom('organizations')
      .where('owner_id', '=', user._id)
      .selectAll()
      .execute()
    expect(left).toEqual([])
  })

  it('is kept while its organization has other members', async () => {
    const owner = await app.signUp()
    const colleague = await app.signUp({ organization: null })
    await app.database.root
      .insertInto('members')
      .values({ user_id: colleague.user._id, organization_id: owner.organization._id, role: 'admin' })
      .execute()
    const answer = await app.auth('/delete-user', { token: owner.sessionToken, body: { password: PASSWORD } })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code: 'ORGANIZATION_HAS_MEMBERS' })
    expect(await session(owner.sessionToken)).not.toBeNull()
  })
})

describe('what is not offered', () => {
  it.each([
    'GET /ok',
    'GET /list-accounts',
    'POST /link-social',
    'POST /change-email',
    'GET /reset-password/token',
    'POST /verify-password',
    'POST /update-session',
    'POST /set-password',
    'GET /admin/list-users',
    'POST /sign-up/email/',
    'POST /cross-domain/one-time-token/verify',
  ])('%s does not exist', async (route) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await app.auth(path, { method, ...(method === 'POST' && { body: {} }) })
    expect(answer.status).toBe(404)
  })
})
