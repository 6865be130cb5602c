// What people reported of administration consoles like this one, tried on ours.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let root: Person
beforeAll(async () => {
  app = await startApp()
  root = await app.signUp()
})
afterAll(() => app.close())

const codeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'done',
    (error: unknown) => appErrorData(error)?.code ?? String(error),
  )
const tokenOf = (link: string) => new URL(link).searchParams.get('token') ?? ''

it('an invitation is for an address in whatever letters, and there is one of them', async () => {
  const { _id: organizationId } = root.organization
  const invite = (email: string) =>
    root.http.mutation(api.admin.invites.create, { email, role: 'operator', organizationId })
  const person = await app.signUp({ email: 'First.Last@Example.test', organization: null })
  const { link } = await invite('FIRST.last@example.TEST')
  expect(await codeOf(invite('first.LAST@example.test'))).toBe('invite_active')
  await person.http.mutation(api.organizations.invites.accept, { token: tokenOf(link) })
  expect((await person.http.query(api.users.current, {})).organizationId).toBe(organizationId)
  expect(await codeOf(invite('First.Last@example.test'))).toBe('email_of_member')
})

it('two administrators who take the administration from each other at once leave one', async () => {
  for (let round = 0; round < 5; round++) {
    const other = await app.signUp()
    const setRole = (by: Person, whose: Person, role: 'admin' | 'user') =>
      by.http.mutation(api.admin.members.setRole, { userId: whose.user._id, role }, { skipQueue: true })
    await setRole(root, other, 'admin')
    await Promise.allSettled([setRole(root, other, 'user'), setRole(other, root, 'user')])
    const admins = await app.database.root.selectFrom('users').where('role', '=', 'admin').select('id').execute()
    expect(admins).toHaveLength(1)
    if (admins[0]?.id !== root.user._id) await setRole(other, root, 'admin').then(() => setRole(root, other, 'user'))
  }
})
