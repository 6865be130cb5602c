// How passwords are kept by an installation. Other tests bring a hash that costs less.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { PASSWORD, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp

beforeAll(async () => {
  app = await startApp({ hasRealPasswords: true })
})
afterAll(() => app.close())

const signIn = (email: string, password: string) => app.auth('/sign-in/email', { body: { email, password } })
const stored = async () => {
  const rows = await app.database.root.selectFrom('accounts').select('password').execute()
  return rows.map(({ password }) => password ?? '')
}

it('a password is kept as a hash of 64 bytes with a salt of its own', async () => {
  await app.signUp({ organization: null })
  await app.signUp({ organization: null })
  const all = await stored()
  expect(new Set(all).size).toBe(2)
  for (const each of all) expect(each).toMatch(/^[0-9a-f]{32}:[0-9a-f]{128}$/)
})

it('the password opens the account before and after it is changed, and no other one does', async () => {
  const { email, sessionToken } = await app.signUp({ organization: null })
  expect((await signIn(email, `${PASSWORD}!`)).status).toBe(401)
  expect((await signIn(email, PASSWORD)).status).toBe(200)
  const body = { currentPassword: PASSWORD, newPassword: 'another long password' }
  expect((await app.auth('/change-password', { token: sessionToken, body })).status).toBe(200)
  expect((await signIn(email, PASSWORD)).status).toBe(401)
  expect((await signIn(email, 'another long password')).status).toBe(200)
})
