// A forgotten password: the letter, its link, and what a reset ends.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeResetPath } from '#server/platform/auth/password-reset.ts'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

const NEW_PASSWORD = 'another battery staple horse'

let smtp: FakeSmtp
let app: TestApp

beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startApp({ config: { mail: { smtpUrl: smtp.url, from: 'Parley <parley@example.test>' } } })
})
afterAll(async () => {
  await app.close()
  smtp.close()
})
beforeEach(async () => {
  await app.settle()
  smtp.letters.length = 0
})

const ask = (email: string, headers = {}) => app.auth('/request-password-reset', { body: { email }, headers })
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  app.auth('/reset-password', { body: { token, newPassword } })
const signIn = (email: string, password: string) => app.auth('/sign-in/email', { body: { email, password } })

/** A person whose letter of confirmation has come. */
async function person() {
  const made = await app.signUp({ organization: null })
  await letterTo(made.email)
  smtp.letters.length = 0
  return made
}

async function letterTo(email: string) {
  for (let number = 1; ; number++) {
    const letter = await smtp.letter(number)
    if (letter.to.includes(email)) return letter
  }
}

async function tokenFor(email: string): Promise<string> {
  smtp.letters.length = 0
  expect((await ask(email)).status).toBe(200)
  const link = new URL(/https?:\S+\/reset\?\S+/.exec((await letterTo(email)).text)?.[0] ?? '')
  return link.searchParams.get('token') ?? ''
}

describe('the answer', () => {
  it('is the same for an address that has no account, to which nothing is sent', async () => {
    const { email } = await person()
    const known = await ask(email)
    const unknown = await ask('unknown@example.test')
    expect([unknown.status, await unknown.text()]).toEqual([known.status, await known.text()])
    await letterTo(email)
    await app.settle()
    expect(smtp.letters.flatMap(({ to }) => to)).toEqual([email])
  })

  it('comes three times an hour for one address, from anywhere, with an account or without', async () => {
    const { email } = await person()
    for (const address of [email, 'stranger@example.test']) {
      const statuses = []
      for (let time = 0; time < 4; time++) statuses.push((await ask(time % 2 ? address : address.toUpperCase())).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })
})

describe('the letter', () => {
  it('is in the language of the request, or of the profile where one is chosen', async () => {
    const { email } = await person()
    await ask(email, { 'accept-language': 'en-GB,en;q=0.9,ru;q=0.5' })
    expect((await letterTo(email)).subject).toBe('Parley: new password')
    smtp.letters.length = 0
    await app.database.root.updateTable('users').set({ language: 'ru' }).where('email', '=', email).execute()
    await ask(email, { 'accept-language': 'en' })
    const letter = await letterTo(email)
    expect(letter.subject).toBe('Parley: новый пароль')
    expect(letter.html).toContain('<html lang="ru">')
  })

  it('keeps no link in the database once it was sent', async () => {
    const { email } = await person()
    const token = await tokenFor(email)
    await app.settle()
    const rows = await app.database.root.selectFrom('letters').where('recipient', '=', email).selectAll().execute()
    expect(rows.map(({ state, content }) => [state, content])).toContainEqual(['sent', null])
    const stored = JSON.stringify([rows, await app.database.root.selectFrom('verifications').selectAll().execute()])
    expect(stored).not.toContain(token)
  })
})

describe('a link', () => {
  it('sets the password, proves the address, ends every session and says so by a letter', async () => {
    const { email, sessionToken } = await person()
    const [token, other] = [await tokenFor(email), await tokenFor(email)]
    smtp.letters.length = 0
    expect((await reset(token)).status).toBe(200)
    expect((await letterTo(email)).subject).toBe('Parley: пароль изменён')
    expect(await (await app.auth('/get-session', { token: sessionToken })).json()).toBeNull()
    const user = app.database.root.selectFrom('users').where('email', '=', email).select('email_verified')
    expect(await user.executeTakeFirst()).toEqual({ email_verified: true })
    expect((await signIn(email, PASSWORD)).status).toBe(401)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
    expect((await reset(other)).status).toBe(400)
  })

  it('works once, of several at the same moment too', async () => {
    const { email } = await person()
    const token = await tokenFor(email)
    const answers = await Promise.all([1, 2, 3, 4].map((number) => reset(token, `${NEW_PASSWORD} ${number}`)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 400, 400, 400])
    const again = await reset(token)
    expect([again.status, await again.json()]).toMatchObject([400, { code: 'INVALID_TOKEN' }])
  })

  it('that is forged or has run out sets nothing', async () => {
    const { email } = await person()
    const token = await tokenFor(email)
    await app.database.root
      .updateTable('verifications')
      .set({ expires_at: new Date(Date.now() - 1000) })
      .execute()
    for (const tried of ['', 'forged', token]) {
      const answer = await reset(tried)
      expect([answer.status, (await answer.json()) as { code: string }]).toMatchObject([400, { code: 'INVALID_TOKEN' }])
    }
    expect((await signIn(email, PASSWORD)).status).toBe(200)
  })

  it('takes no password that is guessed first, and is not spent by one', async () => {
    const { email } = await person()
    const token = await tokenFor(email)
    for (const [password, code] of [
      ['short', 'PASSWORD_TOO_SHORT'],
      ['Password123', 'PASSWORD_TOO_COMMON'],
      [email, 'PASSWORD_TOO_COMMON'],
    ] as const) {
      const answer = await reset(token, password)
      expect([answer.status, await answer.json()], password).toMatchObject([400, { code }])
    }
    expect((await reset(token)).status).toBe(200)
  })

  it('lets an account in that wrong guesses had locked', async () => {
    const { email } = await person()
    for (let guess = 0; guess < 11; guess++) await signIn(email, 'wrong guess')
    expect((await signIn(email, PASSWORD)).status).toBe(429)
    expect((await reset(await tokenFor(email))).status).toBe(200)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })

  it('can be made by the operator of an installation without mail', async () => {
    const { email } = await person()
    expect(await makeResetPath(app.database, 'unknown@example.test')).toBeNull()
    const path = await makeResetPath(app.database, email.toUpperCase())
    const token = new URL(path ?? '', app.url).searchParams.get('token') ?? ''
    expect((await reset(token)).status).toBe(200)
    expect((await signIn(email, NEW_PASSWORD)).status).toBe(200)
  })
})

describe('a changed password', () => {
  it('is written about, and ends links that were asked for before', async () => {
    const { email, sessionToken } = await person()
    const token = await tokenFor(email)
    smtp.letters.length = 0
    const body = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }
    expect((await app.auth('/change-password', { body, token: sessionToken })).status).toBe(200)
    expect((await letterTo(email)).subject).toBe('Parley: пароль изменён')
    expect((await reset(token)).status).toBe(400)
  })
})
