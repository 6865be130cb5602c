// Who may make an account where sign-up is for those invited, or for addresses of certain domains.
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Config, readConfig } from '#server/config.ts'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'
import { startFakeSmtp } from '#tests/fakes/smtp.ts'

let app: TestApp

async function start(config: Partial<Config>): Promise<void> {
  app = await startApp({ config })
  onTestFinished(() => app.close())
}

const signUp = async (email: string) => {
  const answer = await app.auth('/sign-up/email', { body: { email, password: PASSWORD } })
  return { status: answer.status, body: (await answer.json()) as { code?: string; token?: string | null } }
}

describe('sign-up by invitation', () => {
  it('is open for the first account, then refuses addresses without an invitation, known ones too', async () => {
    await start({ signUp: { rule: 'invited', domains: [] } })
    expect((await signUp('first@example.test')).status).toBe(200)
    for (const email of ['second@example.test', 'first@example.test']) {
      expect(await signUp(email)).toMatchObject({ status: 403, body: { code: 'SIGN_UP_INVITED_ONLY' } })
    }
    const config = await (await fetch(`${app.url}/api/config`)).json()
    expect(config).toMatchObject({ signUp: { isOpen: true, rule: 'invited', domains: [] }, canSendMail: false })
  })
})

describe('sign-up by domain', () => {
  const signUpRule = { rule: 'domains' as const, domains: ['example.test'] }

  it('takes addresses of the domain alone', async () => {
    await start({ signUp: signUpRule })
    expect((await signUp('first@elsewhere.test')).status).toBe(200)
    expect((await signUp('Second@Example.test')).status).toBe(200)
    for (const email of ['a@elsewhere.test', 'a@sub.example.test', 'a@example.test.evil.test', 'a@notexample.test']) {
      expect(await signUp(email), email).toMatchObject({ status: 403, body: { code: 'SIGN_UP_DOMAIN' } })
    }
  })

  it('opens an account once its address is confirmed, where letters can be sent', async () => {
    const smtp = await startFakeSmtp()
    const mail = { smtpUrl: smtp.url, from: 'Parley <parley@example.test>' }
    await start({ signUp: signUpRule, mail })
    const email = 'new@example.test'
    expect(await signUp(email)).toMatchObject({ status: 200, body: { token: null } })
    const signIn = () => app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
    const early = await signIn()
    expect([early.status, await early.json()]).toMatchObject([403, { code: 'EMAIL_NOT_VERIFIED' }])
    const link = new URL(/https?:\S+\/verify-email\S+/.exec((await smtp.letter(1)).text)?.[0] ?? '')
    expect((await app.auth(`/verify-email${link.search}`)).status).toBe(200)
    expect((await signIn()).status).toBe(200)
    expect(await signUp(email)).toMatchObject({ status: 200, body: { token: null } })
    expect((await smtp.letter(2)).subject).toBe('Parley: у вас уже есть учётная запись')
    smtp.close()
  })
})

describe('the variable', () => {
  it('names a rule, and domains with that rule alone', () => {
    const read = (value: string) => readConfig({ SIGN_UP: value }).signUp
    expect(read('open')).toEqual({ rule: 'open', domains: [] })
    expect(read('closed')).toEqual({ rule: 'closed', domains: [] })
    expect(read('invited')).toEqual({ rule: 'invited', domains: [] })
    expect(read('domains: Example.com, @example.org')).toEqual({
      rule: 'domains',
      domains: ['example.com', 'example.org'],
    })
    for (const wrong of ['domains', 'domains:', 'domains:nonsense', 'open:example.com', 'maybe']) {
      expect(() => read(wrong), wrong).toThrow('SIGN_UP')
    }
  })
})
