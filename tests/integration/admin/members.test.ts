// People of all organizations as administrators of the installation manage them: the list, its file, roles, locks, sessions, second step.
import { ConvexClient } from 'convex/browser'
import type { FunctionReference } from 'convex/server'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import * as functions from '#server/domain/admin/people.functions.ts'
import { newId } from '#server/platform/lib/ids.ts'
import { appErrorData } from '#shared/errors.ts'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'
import { openTestDatabase, type TestDatabase } from '#tests/database.ts'

const { members } = api.admin
const PAGE = { paginationOpts: { numItems: 50, cursor: null } }

let database: TestDatabase
let app: TestApp
let admin: Person
let person: Person
beforeAll(async () => {
  database = await openTestDatabase()
  app = await startApp({ database })
  admin = await app.signUp()
})
beforeEach(async () => {
  person = await app.signUp({ name: '=Olga', organization: 'Чайная' })
})
afterAll(async () => {
  await app.close()
  await database.close()
})

const codeOf = (code: string) => (error: unknown) => appErrorData(error)?.code === code
const signIn = ({ email }: Person) => app.auth('/sign-in/email', { body: { email, password: PASSWORD } })

describe('the list', () => {
  it('finds by address and organization, and by role', async () => {
    const byEmail = await admin.http.query(members.list, { ...PAGE, search: person.email })
    expect(byEmail.page).toMatchObject([{ _id: person.user._id, organizations: [{ name: 'Чайная', role: 'owner' }] }])
    const byPlace = await admin.http.query(members.list, { ...PAGE, search: 'чайная' })
    expect(byPlace.page.map(({ _id }) => _id)).toContain(person.user._id)
    const admins = await admin.http.query(members.list, { ...PAGE, role: 'admin' })
    expect(admins.page.map(({ _id }) => _id)).toEqual([admin.user._id])
  })

  it('is a file in which nothing is a formula', async () => {
    const { csv, isCut } = await admin.http.query(members.export, { search: person.email, language: 'ru' })
    expect(isCut).toBe(false)
    expect(csv.split('\r\n')[1]).toMatch(/^"'=Olga";/)
  })
})

describe('the platform role', () => {
  it('is given and taken, and no one takes their own', async () => {
    const { _id: userId } = person.user
    await admin.http.mutation(members.setRole, { userId, role: 'admin' })
    expect((await person.http.query(members.list, PAGE)).page.length).toBeGreaterThan(1)
    await admin.http.mutation(members.setRole, { userId, role: 'user' })
    await expect(person.http.query(members.list, PAGE)).rejects.toSatisfy(codeOf('admin_required'))
    const own = admin.http.mutation(members.setRole, { userId: admin.user._id, role: 'user' })
    await expect(own).rejects.toSatisfy(codeOf('own_admin_access'))
  })
})

describe('the last administrator', () => {
  /** As a call whose caller has stopped being one since it began: of two who demote each other, the second. */
  const call = (mutation: unknown, args: object) =>
    database.database.system('test: last admin', async (db) => {
      const { handler } = mutation as { handler(ctx: object, args: object): Promise<null> }
      const caller = { userId: newId('users'), organizationId: null }
      await handler({ db, caller, now: new Date(), audit: async () => undefined }, args)
    })

  it('is neither demoted nor locked, and one who is locked does not count as another', async () => {
    const { _id: userId } = admin.user
    await admin.http.mutation(members.setRole, { userId: person.user._id, role: 'admin' })
    await admin.http.mutation(members.lock, { userId: person.user._id, reason: 'Away' })
    const demotion = call(functions.setRole, { userId, role: 'user' })
    await expect(demotion).rejects.toSatisfy(codeOf('last_admin'))
    const locking = call(functions.lock, { userId, reason: 'Away' })
    await expect(locking).rejects.toSatisfy(codeOf('last_admin'))
    await admin.http.mutation(members.setRole, { userId: person.user._id, role: 'user' })
  })

  it('is left by two who demote each other at the same time', async () => {
    await admin.http.mutation(members.setRole, { userId: person.user._id, role: 'admin' })
    const [one, other] = await Promise.allSettled([
      admin.http.mutation(members.setRole, { userId: person.user._id, role: 'user' }),
      person.http.mutation(members.setRole, { userId: admin.user._id, role: 'user' }),
    ])
    expect([one.status, other.status].toSorted()).toEqual(['fulfilled', 'rejected'])
    const left = await database.database.root.selectFrom('users').where('role', '=', 'admin').select('id').execute()
    expect(left).toHaveLength(1)
    const back = (role: 'admin' | 'user', { user }: Person) =>
      database.database.root.updateTable('users').set({ role }).where('id', '=', user._id).execute()
    await back('admin', admin)
    await back('user', person)
  })
})

describe('an open screen on another server', () => {
  let twin: TestApp
  beforeAll(async () => {
    twin = await startApp({ database })
  })
  afterAll(() => twin.close())

  /** Resolves once the query is shown; `refused` with the code by which it is refused later. */
  async function open({ sessionToken }: Person, query: FunctionReference<'query'>, args: Record<string, unknown>) {
    const client = new ConvexClient(twin.url, { skipConvexDeploymentUrlCheck: true, logger: false })
    client.setAuth(async () => {
      const answer = await twin.auth('/token', { token: sessionToken })
      return answer.ok ? ((await answer.json()) as { token: string }).token : null
    })
    const shown = Promise.withResolvers<void>()
    const refused = Promise.withResolvers<string | undefined>()
    client.onUpdate(
      query,
      args,
      () => shown.resolve(),
      (error) => refused.resolve(appErrorData(error)?.code),
    )
    await shown.promise
    return { refused: refused.promise.finally(() => client.close()) }
  }

  it('ends with the sessions of the person', async () => {
    const { refused } = await open(person, api.users.current, {})
    await admin.http.mutation(members.revokeSessions, { userId: person.user._id })
    expect(await refused).toBe('unauthenticated')
  })

  it('ends with a lock', async () => {
    const { refused } = await open(person, api.users.current, {})
    await admin.http.mutation(members.lock, { userId: person.user._id, reason: 'Spam' })
    expect(await refused).toBe('unauthenticated')
  })

  it('leaves the administration with the role', async () => {
    const { _id: userId } = person.user
    await admin.http.mutation(members.setRole, { userId, role: 'admin' })
    const { refused } = await open(person, members.list, PAGE)
    await admin.http.mutation(members.setRole, { userId, role: 'user' })
    expect(await refused).toBe('admin_required')
  })
})

describe('a lock', () => {
  it('ends the sessions, refuses the next sign-in with the reason, and is taken off', async () => {
    const { _id: userId } = person.user
    await admin.http.mutation(members.lock, { userId, reason: 'Spam' })
    const ended = await app.auth('/token', { token: person.sessionToken })
    expect(await ended.json()).toEqual({ code: 'SESSION_ENDED', reason: 'locked' })
    const refused = await signIn(person)
    expect(refused.status).toBe(403)
    expect(await refused.json()).toMatchObject({ code: 'ACCOUNT_LOCKED', reason: 'Spam' })
    await admin.http.mutation(members.unlock, { userId })
    expect((await signIn(person)).status).toBe(200)
  })

  it('is not put on oneself', async () => {
    const own = admin.http.mutation(members.lock, { userId: admin.user._id, reason: 'Oops' })
    await expect(own).rejects.toSatisfy(codeOf('own_admin_access'))
  })
})

it('all sessions of a person end, and they are shown by whom', async () => {
  await admin.http.mutation(members.revokeSessions, { userId: person.user._id })
  const ended = await app.auth('/token', { token: person.sessionToken })
  expect(await ended.json()).toEqual({ code: 'SESSION_ENDED', reason: 'admin' })
})

it('a second step is taken away, and can be asked for again without one', async () => {
  const { _id: userId } = person.user
  await app.database.root.updateTable('users').set({ two_factor_enabled: true }).where('id', '=', userId).execute()
  expect((await signIn(person)).status).toBe(403)
  await admin.http.mutation(members.resetTwoStep, { userId })
  await admin.http.mutation(members.resetTwoStep, { userId })
  expect((await signIn(person)).status).toBe(200)
  const own = admin.http.mutation(members.resetTwoStep, { userId: admin.user._id })
  await expect(own).rejects.toSatisfy(codeOf('forbidden'))
})
