// Sessions end on every server at once, and the reason is kept for those who held them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { endInactive } from '#server/platform/auth/sessions.store.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

let database: TestDatabase
let app: TestApp
beforeAll(async () => {
  database = await openTestDatabase()
  app = await startApp({ database })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

async function signIn(email: string): Promise<string> {
  const answer = await app.auth('/sign-in/email', { body: { email, password: PASSWORD } })
  return ((await answer.json()) as { token: string }).token
}
const reasonOf = async (token: string) => (await app.auth('/token', { token })).json()

async function list({ sessionToken }: Person) {
  const answer = await app.auth('/list-sessions', { token: sessionToken })
  expect(answer.status).toBe(200)
  return (await answer.json()) as { id: string; isOwn: boolean; ipAddress: string; lastUsedAt: string }[]
}

describe('the list', () => {
  it('marks this device, shows the network of the address and no token', async () => {
    const person = await app.signUp()
    await signIn(person.email)
    const sessions = await list(person)
    expect(sessions.map(({ isOwn }) => isOwn).toSorted()).toEqual([false, true])
    expect(sessions[0]?.ipAddress).toMatch(/^\d+\.\d+\.\d+\.\*$/)
    expect(JSON.stringify(sessions)).not.toContain('token')
  })

  it('is there for a session of last week', async () => {
    const person = await app.signUp()
    await app.database.root
      .updateTable('sessions')
      .set({ created_at: new Date(Date.now() - 6 * 86_400_000) })
      .where('user_id', '=', person.user._id)
      .execute()
    expect(await list(person)).toHaveLength(1)
  })
})

describe('ending', () => {
  it.each([
    [
      'one',
      async (person: Person) => {
        const other = (await list(person)).find(({ isOwn }) => !isOwn)
        await app.auth('/revoke-session', { token: person.sessionToken, body: { id: other?.id } })
      },
    ],
    [
      'all others',
      async (person: Person) => {
        await app.auth('/revoke-other-sessions', { token: person.sessionToken, body: {} })
      },
    ],
    [
      'all',
      async (person: Person) => {
        await app.auth('/revoke-sessions', { token: person.sessionToken, body: {} })
      },
    ],
  ] as const)('%s: the answer to the ended one names the reason', async (what, end) => {
    const person = await app.signUp()
    const other = await signIn(person.email)
    await end(person)
    expect(await reasonOf(other)).toEqual({ code: 'SESSION_ENDED', reason: 'revoked' })
    expect((await app.auth('/token', { token: person.sessionToken })).status).toBe(what === 'all' ? 401 : 200)
  })

  it('a password change ends the others by that reason', async () => {
    const person = await app.signUp()
    const other = await signIn(person.email)
    const body = { currentPassword: PASSWORD, newPassword: 'quite another long phrase' }
    expect((await app.auth('/change-password', { token: person.sessionToken, body })).status).toBe(200)
    expect(await reasonOf(other)).toEqual({ code: 'SESSION_ENDED', reason: 'password' })
  })

  it('a made-up token learns nothing', async () => {
    expect(await reasonOf('x'.repeat(32))).not.toHaveProperty('reason')
  })

  it('reaches live queries of another server', async () => {
    const person = await app.signUp()
    const twin = await startApp({ database })
    try {
      const { ConvexClient } = await import('convex/browser')
      const client = new ConvexClient(twin.url, { skipConvexDeploymentUrlCheck: true })
      const other = await signIn(person.email)
      const ended = Promise.withResolvers<void>()
      const live = new Promise<void>((resolve) => {
        client.setAuth(
          async () => {
            const answer = await twin.auth('/token', { token: other })
            return answer.ok ? ((await answer.json()) as { token: string }).token : null
          },
          (isAuthenticated) => {
            if (!isAuthenticated) ended.resolve()
          },
        )
        client.onUpdate(
          api.users.current,
          {},
          () => resolve(),
          () => ended.resolve(),
        )
      })
      await live
      await app.auth('/revoke-other-sessions', { token: person.sessionToken, body: {} })
      await ended.promise // a token lives for longer than this test waits
      await client.close()
    } finally {
      await twin.close()
    }
  })
})

describe('inactivity', () => {
  it('ends an unused session at once for calls, and with its reason by the sweep', async () => {
    const person = await app.signUp()
    await person.http.mutation(api.organizations.updateSecurity, { patch: { signOutAfterMinutes: 15 } })
    const unusedFor = (minutes: number) =>
      app.database.root
        .updateTable('sessions')
        .set({ last_used_at: new Date(Date.now() - minutes * 60_000) })
        .where('user_id', '=', person.user._id)
        .execute()
    await unusedFor(14)
    await expect(person.http.query(api.users.current, {})).resolves.toMatchObject({ email: person.email })
    await unusedFor(16)
    await expect(person.http.query(api.users.current, {})).rejects.toThrow(/Unauthenticated/)
    await app.database.system('test', (db) => endInactive(db))
    expect(await reasonOf(person.sessionToken)).toEqual({ code: 'SESSION_ENDED', reason: 'inactive' })
  })

  it('counts what a person does, and not what their screens ask for', async () => {
    const person = await app.signUp()
    const lastUsed = async () => {
      const row = app.database.root.selectFrom('sessions').where('user_id', '=', person.user._id).select('last_used_at')
      return (await row.executeTakeFirstOrThrow()).last_used_at.getTime()
    }
    const long = new Date(Date.now() - 3_600_000)
    await app.database.root
      .updateTable('sessions')
      .set({ last_used_at: long })
      .where('user_id', '=', person.user._id)
      .execute()
    await person.http.query(api.users.current, {})
    expect(await lastUsed()).toBe(long.getTime())
  })
})
