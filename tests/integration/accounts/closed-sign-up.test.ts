// Who may create an account where sign-up is closed, and what a new organization may use.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { api, PASSWORD, type Person, startApp, type TestApp } from '#tests/app.ts'

let app: TestApp
let first: Person

describe('an installation with closed sign-up', () => {
  beforeAll(async () => {
    app = await startApp({ config: { signUp: { rule: 'closed', domains: [] }, contactEmail: 'admin@example.test' } })
  })
  afterAll(() => app.close())

  const publicConfig = async () => (await fetch(`${app.url}/api/config`)).json()

  it('allows the first account, which becomes admin', async () => {
    expect(await publicConfig()).toMatchObject({
      signUp: { isOpen: true, contact: 'admin@example.test', isFirst: true, makesAdmin: true },
    })
    first = await app.signUp()
    expect(first.user.role).toBe('admin')
  })

  it('refuses everyone else alike, and announces it in the config', async () => {
    expect(await publicConfig()).toMatchObject({ signUp: { isOpen: false, isFirst: false, makesAdmin: false } })
    for (const email of ['second@example.test', first.email]) {
      const answer = await app.auth('/sign-up/email', { body: { email, password: PASSWORD } })
      expect([answer.status, await answer.json()]).toMatchObject([403, { code: 'SIGN_UP_CLOSED' }])
    }
    expect(await app.database.root.selectFrom('users').select('email').execute()).toEqual([{ email: first.email }])
  })

  it('still lets people sign in', async () => {
    const answer = await app.auth('/sign-in/email', { body: { email: first.email, password: PASSWORD } })
    expect(answer.status).toBe(200)
  })
})

describe('a new organization', () => {
  it('is on the default plan and its allowance, unless it is that of the platform admin', async () => {
    const open = await startApp()
    const [admin, stranger] = [await open.signUp(), await open.signUp()]
    const limitsOf = async ({ organization, http }: Person) => {
      const timeRange = { start: Date.now() - 86_400_000, end: Date.now() + 86_400_000 }
      const { plan } = await http.query(api.billing.getOrganizationUsageOverview, {
        organizationId: organization._id,
        timeRange,
      })
      return { plan: organization.plan, allowance: plan.allowance }
    }
    expect([await limitsOf(admin), await limitsOf(stranger)]).toEqual([
      { plan: null, allowance: null },
      { plan: 'parking', allowance: 1000 },
    ])
    await open.close()
  })
})
