// Two-step sign-in over HTTP: no way in without a code, no code twice, few guesses.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { totpCode } from '#server/platform/auth/factors/totp.ts'
import { SIGN_IN_ATTEMPTS } from '#server/platform/auth/guesses.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const STEP_MS = 30_000
type Answer = { status: number; body: Record<string, unknown> }

async function post(path: string, body: object, token?: string): Promise<Answer> {
  const answer = await app.auth(path, { body, ...(token && { token }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** A person with two-step sign-in. The code that confirmed it is spent: later ones are of the step after. */
async function withTwoStep() {
  const person = await app.signUp()
  const { body } = await post('/two-factor/enable', { password: PASSWORD }, person.sessionToken)
  const key = String(body.key)
  const confirmed = await post('/two-factor/confirm', { code: totpCode(key, Date.now()) }, person.sessionToken)
  expect(confirmed.status).toBe(200)
  return { person, key, recoveryCodes: confirmed.body.recoveryCodes as string[] }
}

const signIn = ({ email }: Person) => post('/sign-in/email', { email, password: PASSWORD })
const challengeOf = async (person: Person) => String((await signIn(person)).body.challenge)
const sessionsOf = async ({ user }: Person) =>
  (await app.database.root.selectFrom('sessions').where('user_id', '=', user._id).select('id').execute()).length

describe('setting up', () => {
  it('wants the password, and a code before it counts', async () => {
    const person = await app.signUp()
    expect(await post('/two-factor/enable', {}, person.sessionToken)).toMatchObject({
      body: { code: 'PASSWORD_REQUIRED' },
    })
    expect(await post('/two-factor/enable', { password: 'wrong' }, person.sessionToken)).toMatchObject({
      body: { code: 'INVALID_PASSWORD' },
    })
    const { body } = await post('/two-factor/enable', { password: PASSWORD }, person.sessionToken)
    expect(body.totpURI).toContain(`secret=${body.key}`)
    expect((await signIn(person)).status).toBe(200)
    expect(await post('/two-factor/confirm', { code: '000000' }, person.sessionToken)).toMatchObject({
      body: { code: 'INVALID_CODE' },
    })
    const confirmed = await post(
      '/two-factor/confirm',
      { code: totpCode(String(body.key), Date.now()) },
      person.sessionToken,
    )
    expect(new Set(confirmed.body.recoveryCodes as string[]).size).toBe(10)
    expect((await signIn(person)).status).toBe(403)
  })

  it('stores neither the key nor the codes in the clear', async () => {
    const { person, key, recoveryCodes } = await withTwoStep()
    const row = await app.database.root
      .selectFrom('two_factors')
      .where('user_id', '=', person.user._id)
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(row.secret).toMatch(/^v1\./)
    expect(JSON.stringify(row)).not.toContain(key)
    expect(JSON.stringify(row)).not.toContain(recoveryCodes[0])
  })
})

describe('signing in', () => {
  it('opens no session by the password alone, nor by signing up again with it', async () => {
    const { person } = await withTwoStep()
    const before = await sessionsOf(person)
    for (const path of ['/sign-in/email', '/sign-up/email']) {
      const answer = await app.auth(path, { body: { email: person.email, password: PASSWORD } })
      expect(answer.status).toBe(403)
      expect(answer.headers.get('set-cookie') ?? '').not.toContain('session_token')
      const body = (await answer.json()) as Record<string, unknown>
      expect(body.code).toBe('TWO_FACTOR_REQUIRED')
      expect(body.token).toBeUndefined()
    }
    expect(await sessionsOf(person)).toBe(before)
  })

  it('takes a code once, also for another challenge', async () => {
    const { person, key } = await withTwoStep()
    const code = totpCode(key, Date.now() + STEP_MS)
    const [first, second] = [await challengeOf(person), await challengeOf(person)]
    const opened = await post('/two-factor/verify', { challenge: first, code })
    expect(opened.status).toBe(200)
    expect(await (await app.auth('/get-session', { token: String(opened.body.token) })).json()).toMatchObject({
      user: { email: person.email },
    })
    expect(await post('/two-factor/verify', { challenge: second, code })).toMatchObject({
      body: { code: 'INVALID_CODE' },
    })
  })

  it('does not take the code that confirmed the set-up', async () => {
    const { person, key } = await withTwoStep()
    const [row, challenge] = [
      await app.database.root
        .selectFrom('two_factors')
        .where('user_id', '=', person.user._id)
        .select('last_step')
        .executeTakeFirstOrThrow(),
      await challengeOf(person),
    ]
    const code = totpCode(key, row.last_step * STEP_MS)
    expect(await post('/two-factor/verify', { challenge, code })).toMatchObject({ body: { code: 'INVALID_CODE' } })
  })

  it('takes each recovery code once, however it is typed', async () => {
    const { person, recoveryCodes } = await withTwoStep()
    const recoveryCode = ` ${recoveryCodes[3]?.toUpperCase().replaceAll('-', ' ')} `
    const opened = await post('/two-factor/verify', { challenge: await challengeOf(person), recoveryCode })
    expect(opened.status).toBe(200)
    const again = await post('/two-factor/verify', { challenge: await challengeOf(person), recoveryCode })
    expect(again).toMatchObject({ body: { code: 'INVALID_CODE' } })
    const status = await (await app.auth('/two-factor/status', { token: String(opened.body.token) })).json()
    expect(status).toMatchObject({ isOn: true, recoveryCodesLeft: 9 })
  })

  it('takes a challenge once, and none that was made up', async () => {
    const { person, key, recoveryCodes } = await withTwoStep()
    const challenge = await challengeOf(person)
    expect((await post('/two-factor/verify', { challenge, recoveryCode: recoveryCodes[0] })).status).toBe(200)
    expect(await post('/two-factor/verify', { challenge, recoveryCode: recoveryCodes[1] })).toMatchObject({
      body: { code: 'CHALLENGE_EXPIRED' },
    })
    expect(
      await post('/two-factor/verify', { challenge: 'x'.repeat(32), code: totpCode(key, Date.now()) }),
    ).toMatchObject({
      body: { code: 'CHALLENGE_EXPIRED' },
    })
  })

  it('looks at ten codes in fifteen minutes, over all challenges', async () => {
    const { person, recoveryCodes } = await withTwoStep()
    const challenge = await challengeOf(person)
    for (let guess = 0; guess < SIGN_IN_ATTEMPTS; guess++)
      expect((await post('/two-factor/verify', { challenge, code: '000000' })).body.code).toBe('INVALID_CODE')
    const other = await challengeOf(person)
    expect(await post('/two-factor/verify', { challenge: other, recoveryCode: recoveryCodes[0] })).toMatchObject({
      status: 429,
      body: { code: 'TOO_MANY_ATTEMPTS' },
    })
  })
})

describe('switching off', () => {
  it('wants the password, and so do other recovery codes', async () => {
    const { person, recoveryCodes } = await withTwoStep()
    for (const path of ['/two-factor/disable', '/two-factor/recovery-codes'])
      expect(await post(path, {}, person.sessionToken)).toMatchObject({ body: { code: 'PASSWORD_REQUIRED' } })
    const renewed = await post('/two-factor/recovery-codes', { password: PASSWORD }, person.sessionToken)
    expect(renewed.body.recoveryCodes).toHaveLength(10)
    const old = { challenge: await challengeOf(person), recoveryCode: recoveryCodes[0] }
    expect((await post('/two-factor/verify', old)).body.code).toBe('INVALID_CODE')
    expect((await post('/two-factor/disable', { password: PASSWORD }, person.sessionToken)).status).toBe(200)
    expect((await signIn(person)).status).toBe(200)
  })
})

describe('an organization that demands it', () => {
  it('refuses everything to members until they have set it up, and is not asked for by an owner without', async () => {
    const owner = await app.signUp()
    await expect(
      owner.http.mutation(api.organizations.updateSecurity, { patch: { requiresTwoStep: true } }),
    ).rejects.toMatchObject({ data: { code: 'two_step_missing' } })
    const { body } = await post('/two-factor/enable', { password: PASSWORD }, owner.sessionToken)
    await post('/two-factor/confirm', { code: totpCode(String(body.key), Date.now()) }, owner.sessionToken)
    await owner.http.mutation(api.organizations.updateSecurity, { patch: { requiresTwoStep: true } })
    expect((await owner.http.query(api.users.current, {})).twoStepRequired).toBe(false)

    await post('/two-factor/disable', { password: PASSWORD }, owner.sessionToken)
    await expect(owner.http.query(api.agents.list, {})).rejects.toMatchObject({ data: { code: 'two_step_required' } })
    await expect(owner.http.mutation(api.organizations.update, { patch: { name: 'Other' } })).rejects.toMatchObject({
      data: { code: 'two_step_required' },
    })
    const current = await owner.http.query(api.users.current, {})
    expect(current).toMatchObject({ twoStepRequired: true, organization: null, organizationId: null })
    const token = await owner.token()
    const file = await fetch(`${app.url}/api/files/uploads`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    expect([401, 403]).toContain(file.status)
  })
})

describe('passkeys', () => {
  const optionsOf = (token: string) => app.auth('/passkey/generate-register-options', { token })

  it('are added by a session that was opened just now, or that sends the password', async () => {
    const person = await app.signUp()
    const options = await optionsOf(person.sessionToken)
    expect(await options.json()).toMatchObject({
      rp: { id: 'localhost' },
      authenticatorSelection: { userVerification: 'required' },
    })
    const longAgo = new Date(Date.now() - 3_600_000)
    const own = app.database.root.updateTable('sessions').where('user_id', '=', person.user._id)
    await own.set({ confirmed_at: longAgo }).execute()
    expect(await (await optionsOf(person.sessionToken)).json()).toMatchObject({ code: 'SESSION_NOT_FRESH' })
    expect((await post('/prove', { password: 'wrong' }, person.sessionToken)).body.code).toBe('INVALID_PASSWORD')
    expect((await post('/prove', { password: PASSWORD }, person.sessionToken)).status).toBe(200)
    expect((await optionsOf(person.sessionToken)).status).toBe(200)
    const list = await app.auth('/passkey/list-user-passkeys', { token: person.sessionToken })
    expect(await list.json()).toEqual([])
  })
})
