// Deleting an organization: its name, its owner, their password; and what its members see then.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { api, PASSWORD, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

it('takes name and password of the owner, and tells the members', async () => {
  const owner = await app.signUp({ organization: 'Green & Co' })
  const colleague = await app.signUp({ organization: null })
  const organizationId = owner.organization._id
  await app.database.root
    .insertInto('members')
    .values({ user_id: colleague.user._id, organization_id: organizationId, role: 'admin' })
    .execute()
  const remove = (person: typeof owner, args: { name: string; password?: string }) =>
    person.http.action(api.organizations.remove, args)
  const refused = (code: string) => ({ data: { code } })

  expect(await owner.http.query(api.organizations.removalCounts, {})).toMatchObject({ members: 2, agents: 0 })
  await expect(remove(colleague, { name: 'Green & Co', password: PASSWORD })).rejects.toMatchObject(
    refused('role_required'),
  )
  await expect(remove(owner, { name: 'Green', password: PASSWORD })).rejects.toMatchObject(
    refused('organization_name_wrong'),
  )
  await expect(remove(owner, { name: 'Green & Co' })).rejects.toMatchObject(refused('password_required'))
  await expect(remove(owner, { name: 'Green & Co', password: 'wrong' })).rejects.toMatchObject(
    refused('password_wrong'),
  )
  await remove(owner, { name: 'Green & Co', password: PASSWORD })
  expect(await owner.http.query(api.users.current, {})).toMatchObject({ organization: null, removedOrganization: null })
  expect(await colleague.http.query(api.users.current, {})).toMatchObject({
    organization: null,
    removedOrganization: 'Green & Co',
  })
  await colleague.http.mutation(api.organizations.create, { organizationName: 'Another' })
  expect((await colleague.http.query(api.users.current, {})).removedOrganization).toBeNull()
})
