// Forgetting sessions that have run out.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { forgetExpired } from '#server/features/users/sessions.job.ts'
import { startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('deletes what has expired and nothing else', async () => {
  const [gone, stays] = [await app.signUp(), await app.signUp()]
  await app.database.root
    .updateTable('sessions')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .where('user_id', '=', gone.user._id)
    .execute()
  await forgetExpired.run(app.services, {}, AbortSignal.timeout(10_000))
  const left = await app.database.root.selectFrom('sessions').select('user_id').execute()
  expect(left.map((row) => row.user_id)).toEqual([stays.user._id])
})
