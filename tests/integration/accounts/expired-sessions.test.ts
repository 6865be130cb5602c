// Expired sessions: what they still allow, and their deletion.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgetExpired } from '#server/domain/users/sessions.job.ts'
import { api, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('refuses calls of an expired session whose token has not expired', async () => {
  const person = await app.signUp()
  await person.http.query(api.users.current, {})
  await app.database.root
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', person.user._id)
    .execute()
  await expect(person.http.query(api.users.current, {})).rejects.toThrow('The session has ended')
})

it('deletes expired sessions and nothing else', async () => {
  const [gone, stays] = [await app.signUp(), await app.signUp()]
  await app.database.root
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', gone.user._id)
    .execute()
  await forgetExpired.run(app.services, {}, AbortSignal.timeout(10_000))
  const left = await app.database.root.selectFrom('sessions').select('user_id').execute()
  expect(left.map((row) => row.user_id)).toContain(stays.user._id)
  expect(left.map((row) => row.user_id)).not.toContain(gone.user._id)
})
