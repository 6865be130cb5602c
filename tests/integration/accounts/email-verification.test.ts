// Verification of an e-mail address by a link.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

let smtp: FakeSmtp
let app: TestApp

beforeAll(async () => {
  smtp = await startFakeSmtp()
  const mail = { smtpUrl: smtp.url, from: 'Parley <parley@example.test>' }
  app = await startApp({ config: { mail, adminEmails: ['boss@example.test'] } })
})
afterAll(async () => {
  await app.close()
  smtp.close()
})

const user = async (email: string) =>
  app.database.root.selectFrom('users').where('email', '=', email).selectAll().executeTakeFirstOrThrow()

describe('the letter', () => {
  it('is sent on sign-up; its link verifies the address and makes those named by ADMIN_EMAILS admin', async () => {
    await app.auth('/sign-up/email', { body: { email: 'boss@example.test', password: PASSWORD } })
    const letter = await smtp.letter(1)
    expect(letter.to).toEqual(['boss@example.test'])
    expect(letter.text).toContain('Подтвердите')
    expect(await user('boss@example.test')).toMatchObject({ email_verified: false, role: 'user' })

    const link = new URL(/https?:\S+verify-email\S+/.exec(letter.text)?.[0] ?? '')
    expect(link.origin).toBe(app.url)
    expect(link.pathname).toBe('/verify-email')
    const answer = await app.auth(`/verify-email${link.search}`)
    expect(answer.status).toBe(200)
    expect(await user('boss@example.test')).toMatchObject({ email_verified: true, role: 'admin' })
  })

  it('has a link that cannot be altered or forged', async () => {
    await app.auth('/sign-up/email', { body: { email: 'other@example.test', password: PASSWORD } })
    const link = /verify-email\?token=([^&\s]+)/.exec((await smtp.letter(2)).text)?.[1] ?? ''
    const [header = '', , signature = ''] = link.split('.')
    const payload = Buffer.from(JSON.stringify({ email: 'other@example.test', exp: 9_999_999_999 })).toString(
      'base64url',
    )
    for (const token of ['', 'null', `${header}.${payload}.${signature}`, `${header}.${payload}.`, link.slice(0, -4)]) {
      const answer = await app.auth(`/verify-email?token=${encodeURIComponent(token)}`)
      expect(answer.ok, token).toBe(false)
    }
    expect(await user('other@example.test')).toMatchObject({ email_verified: false })
  })

  it('redirects only to our own origin', async () => {
    await app.auth('/sign-up/email', { body: { email: 'third@example.test', password: PASSWORD } })
    const token = /verify-email\?token=([^&\s]+)/.exec((await smtp.letter(3)).text)?.[1] ?? ''
    const answer = await app.auth(
      `/verify-email?token=${token}&callbackURL=${encodeURIComponent('https://evil.test/')}`,
    )
    expect(answer.status).toBe(403)
  })
})

describe('without a reachable mail server', () => {
  it('users can still sign up', async () => {
    const unreachable = await startApp({
      config: { mail: { smtpUrl: 'smtp://127.0.0.1:9', from: 'parley@example.test' } },
    })
    const answer = await unreachable.auth('/sign-up/email', { body: { email: 'a@example.test', password: PASSWORD } })
    expect(answer.status).toBe(200)
    await unreachable.close()
  })
})
