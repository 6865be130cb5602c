// Users and organizations: from sign-up to the first signed-in screen.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { api, PASSWORD, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const codeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'no error',
    (error) => appErrorData(error)?.code ?? String(error),
  )

describe('users:ensure', () => {
  it('restores the membership of an owner, and reports a deleted account', async () => {
    const person = await app.signUp()
    await app.database.root.deleteFrom('members').where('user_id', '=', person.user._id).execute()
    expect((await person.http.query(api.users.current, {})).organization).toBeNull()
    expect(await person.http.mutation(api.users.ensure, {})).toEqual(person.user)
    expect(await person.http.query(api.users.current, {})).toEqual(person.user)
    await app.database.root.deleteFrom('organizations').where('owner_id', '=', person.user._id).execute()
    await app.database.root.deleteFrom('users').where('id', '=', person.user._id).execute()
    expect(await codeOf(person.http.mutation(api.users.ensure, {}))).toMatch(/unauthenticated/i)
  })
})

describe('users:current', () => {
  it('shows the caller without an organization, on the starter plan', async () => {
    const person = await app.signUp({ organization: null, name: 'Марат' })
    expect(await person.http.query(api.users.current, {})).toEqual({
      _id: person.user._id,
      email: person.email,
      isEmailVerified: false,
      name: 'Марат',
      avatar: null,
      jobTitle: '',
      bio: '',
      language: '',
      timeZone: '',
      role: expect.stringMatching(/^(admin|user)$/),
      organizationId: null,
      organizationRole: null,
      plan: 'starter',
      organization: null,
      twoStepRequired: false,
      suspended: null,
      supportAccesses: [],
      removedOrganization: null,
    })
  })

  it('is refused to anonymous callers', async () => {
    const person = await app.signUp({ organization: null })
    person.http.clearAuth()
    expect(await codeOf(person.http.query(api.users.current, {}))).toBe('unauthenticated')
  })

  it('shows a new organization and a new name on an open page', async () => {
    const person = await app.signUp({ organization: null })
    const seen = watch(person.live())
    await seen.until((user) => user.organizationId === null)
    await person.http.mutation(api.organizations.create, { organizationName: 'Кофейня', name: 'Айгуль' })
    const user = await seen.until((current) => current.organizationId !== null)
    expect(user).toMatchObject({ name: 'Айгуль', organization: { name: 'Кофейня', ownerId: user._id } })
    await app.auth('/update-user', { token: person.sessionToken, body: { name: 'Айгуль Б.' } })
    await seen.until((current) => current.name === 'Айгуль Б.')
  })

  it('answers the same as users:ensure', async () => {
    const { http } = await app.signUp()
    expect(await http.mutation(api.users.ensure, {})).toEqual(await http.query(api.users.current, {}))
  })
})

describe('organizations:create', () => {
  it('stores the trimmed input', async () => {
    const person = await app.signUp({ organization: null })
    const made = await person.http.mutation(api.organizations.create, {
      organizationName: '  Бета Кафе  ',
      organizationDisplayName: 'Beta',
      organizationSupportEmail: 'help@beta.example',
    })
    expect(made).toMatchObject({
      name: 'Бета Кафе',
      displayName: 'Beta',
      supportEmail: 'help@beta.example',
      plan: 'parking',
      monthlyLimit: null,
      ownerId: person.user._id,
      timeZone: 'UTC',
    })
  })

  it('takes the time zone of its creator', async () => {
    const person = await app.signUp({ organization: null })
    const input = { organizationName: 'Abc', timeZone: 'Asia/Almaty' }
    expect(await person.http.mutation(api.organizations.create, input)).toMatchObject({ timeZone: 'Asia/Almaty' })
  })

  it('treats empty optional fields as missing', async () => {
    const person = await app.signUp({ organization: null })
    const input = { organizationName: 'Abc', organizationDisplayName: '', organizationSupportEmail: '', name: '' }
    const made = await person.http.mutation(api.organizations.create, input)
    expect(made).toMatchObject({ displayName: null, supportEmail: null })
    expect((await person.http.query(api.users.current, {})).name).toBe(person.user.name)
  })

  it.each([
    [{ organizationName: 'ab' }],
    [{ organizationName: '  ab  ' }],
    [{ organizationName: 'x'.repeat(101) }],
    [{ organizationName: 'Abc', organizationDisplayName: 'x'.repeat(51) }],
    [{ organizationName: 'Abc', organizationSupportEmail: 'nobody' }],
    [{ organizationName: 'Abc', name: 'x'.repeat(101) }],
    [{ organizationName: 'Abc', timeZone: '+05:00' }],
    [{ organizationName: 'Abc', timeZone: 'Mars/Olympus' }],
    [{ organizationName: 'Abc', plan: 'enterprise' }],
    [{ organizationName: 'Abc', ownerId: 'somebody' }],
  ])('refuses %j', async (input) => {
    const person = await app.signUp({ organization: null })
    const call = person.http.mutation(api.organizations.create, input as { organizationName: string })
    expect(await codeOf(call)).toBe('invalid_arguments')
  })

  it('creates one organization per user, also for two concurrent calls', async () => {
    const person = await app.signUp({ organization: null })
    const create = () =>
      codeOf(person.http.mutation(api.organizations.create, { organizationName: 'Abc' }, { skipQueue: true }))
    expect((await Promise.all([create(), create(), create()])).sort()).toEqual([
      'no error',
      'organization_exists',
      'organization_exists',
    ])
    const owned = await app.database.root
      .selectFrom('organizations')
      .where('owner_id', '=', person.user._id)
      .select('id')
      .execute()
    expect(owned).toHaveLength(1)
  })
})

describe('organizations:update', () => {
  it('stores the changes of any member, and shows them on open pages', async () => {
    const person = await app.signUp()
    const seen = watch(person.live())
    await seen.until(() => true)
    const changed = await person.http.mutation(api.organizations.update, {
      patch: {
        name: '  Кофейня на углу ',
        displayName: 'Угол',
        supportEmail: 'help@corner.example',
        timeZone: 'Asia/Almaty',
        atLimit: 'handoff',
        limitText: 'Позвоните нам',
        monthlySpendLimitUsd: 12.5,
      },
    })
    const expected = {
      name: 'Кофейня на углу',
      displayName: 'Угол',
      supportEmail: 'help@corner.example',
      timeZone: 'Asia/Almaty',
      atLimit: 'handoff',
      limitText: 'Позвоните нам',
      monthlySpendLimitUsd: 12.5,
    }
    expect(changed).toMatchObject(expected)
    await seen.until((user) => JSON.stringify(user.organization) === JSON.stringify(changed))
  })

  it('leaves missing fields unchanged; empty texts and a null ceiling clear them', async () => {
    const person = await app.signUp()
    const update = (patch: typeof api.organizations.update._args.patch) =>
      person.http.mutation(api.organizations.update, { patch })
    await update({ displayName: 'Beta', supportEmail: 'a@b.example', monthlySpendLimitUsd: 3 })
    expect(await update({})).toMatchObject({
      displayName: 'Beta',
      supportEmail: 'a@b.example',
      monthlySpendLimitUsd: 3,
    })
    expect(await update({ displayName: '', supportEmail: '', monthlySpendLimitUsd: null })).toMatchObject({
      displayName: null,
      supportEmail: null,
      monthlySpendLimitUsd: null,
      timeZone: 'UTC',
      atLimit: 'stop',
    })
  })

  it.each([
    [{ name: 'ab' }],
    [{ name: 'x'.repeat(101) }],
    [{ displayName: 'x'.repeat(51) }],
    [{ supportEmail: 'nobody' }],
    [{ timeZone: 'Mars/Olympus' }],
    [{ timeZone: '+05:00' }],
    [{ timeZone: 'asia/almaty' }],
    [{ atLimit: 'ignore' }],
    [{ limitText: 'x'.repeat(2001) }],
    [{ monthlySpendLimitUsd: 0 }],
    [{ monthlySpendLimitUsd: -1 }],
    [{ monthlySpendLimitUsd: 1e9 }],
    [{ plan: 'enterprise' }],
    [{ monthlyLimit: 1_000_000 }],
    [{ ownerId: 'somebody' }],
  ])('refuses %j', async (patch) => {
    const person = await app.signUp()
    const call = person.http.mutation(api.organizations.update, { patch } as { patch: { name: string } })
    expect(await codeOf(call)).toBe('invalid_arguments')
  })

  it('changes no other organization, and requires one', async () => {
    const [person, other] = [await app.signUp(), await app.signUp()]
    await person.http.mutation(api.organizations.update, { patch: { name: 'Mine alone' } })
    const { organization } = await other.http.query(api.users.current, {})
    expect(organization).toEqual(other.organization)
    const homeless = await app.signUp({ organization: null })
    expect(await codeOf(homeless.http.mutation(api.organizations.update, { patch: {} }))).toBe('organization_required')
  })
})

describe('the end of a session', () => {
  it('refuses calls at once, though the token is not expired', async () => {
    const person = await app.signUp()
    await app.auth('/revoke-sessions', { token: person.sessionToken, body: {} })
    await expect(person.http.query(api.users.current, {})).rejects.toThrow('The session has ended')
  })

  it('reaches an open page', async () => {
    const person = await app.signUp()
    const other = await app.auth('/sign-in/email', { body: { email: person.email, password: PASSWORD } })
    const { token } = (await other.json()) as { token: string }
    const seen = watch(person.live())
    await seen.until(() => true)
    await app.auth('/revoke-other-sessions', { token, body: {} })
    expect(await seen.failure).toMatch(/unauthenticated|session/i)
  })
})

type Current = { organizationId: string | null; name: string; _id: string; organization: unknown }

/** Watches users:current on a realtime connection. */
function watch(client: ReturnType<Awaited<ReturnType<TestApp['signUp']>>['live']>) {
  const listeners = new Set<() => void>()
  let current: Current | undefined
  const failure = new Promise<string>((done) => {
    client.onUpdate(
      api.users.current,
      {},
      (user) => {
        current = user
        for (const listener of listeners) listener()
      },
      (error) => done(JSON.stringify(appErrorData(error) ?? error.message)),
    )
  })
  const until = (isThere: (user: Current) => boolean) =>
    new Promise<Current>((done) => {
      const look = () => {
        if (!current || !isThere(current)) return
        listeners.delete(look)
        done(current)
      }
      listeners.add(look)
      look()
    })
  return { until, failure }
}
