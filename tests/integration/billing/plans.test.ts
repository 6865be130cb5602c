// What an organization sees of its plan, and its requests to the sales team.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { appErrorData } from '#shared/errors.ts'
import { api, type Person, startApp, type TestApp } from '#tests/app.ts'
import { type FakeSmtp, startFakeSmtp } from '#tests/fakes/smtp.ts'

const SALES = 'sales@parley.test'
let smtp: FakeSmtp
let app: TestApp
let person: Person

beforeAll(async () => {
  smtp = await startFakeSmtp()
  app = await startApp({
    config: { mail: { smtpUrl: smtp.url, from: 'parley@example.test' }, salesEmail: SALES },
  })
  await app.signUp() // the platform admin, whom no plan limits
})
beforeEach(async () => {
  person = await app.signUp({ organization: 'Чайная лавка' })
})
afterAll(async () => {
  await app.close()
  smtp.close()
})

const getPlan = () => person.http.query(api.billing.getPlan, {})

async function codeOf(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => appErrorData(error)?.code,
  )
}

/** Letters to the sales team about the organization of this test. */
async function lettersAbout(text: string, count: number): Promise<string[]> {
  await app.settle()
  const found = smtp.letters.filter((letter) => letter.to.includes(SALES) && letter.text.includes(text))
  expect(found).toHaveLength(count)
  return found.map((letter) => letter.text)
}

describe('the plan', () => {
  it('of a new organization is the default one, with its numbers and what is used of them', async () => {
    const { own, allowance, members, channelSlots, request } = await getPlan()
    expect(own).toMatchObject({ slug: 'parking', price: 0, messages: 1000 })
    expect({ allowance, members, channelSlots, request }).toEqual({
      allowance: 1000,
      members: { used: 1, allowed: 5 },
      channelSlots: { used: 0, allowed: 2 },
      request: null,
    })
  })

  it('can be compared with the others, in their order, archived ones left out', async () => {
    const { root } = app.database
    await root.updateTable('plans').set({ archived_at: new Date() }).where('slug', '=', 'enterprise').execute()
    const { plans } = await getPlan()
    expect(plans.map(({ slug, price }) => [slug, price])).toEqual([
      ['parking', 0],
      ['starter', 50_000],
      ['pro', 100_000],
    ])
    await root.updateTable('plans').set({ archived_at: null }).where('slug', '=', 'enterprise').execute()
  })

  it('takes nothing away when it is smaller than what is in use, and says so', async () => {
    const { root } = app.database
    await root
      .updateTable('organizations')
      .set({ monthly_limit: 0 })
      .where('id', '=', person.organization._id)
      .execute()
    await root.updateTable('plans').set({ members: 1 }).where('slug', '=', 'parking').execute()
    const colleague = await app.signUp({ organization: null })
    await root
      .insertInto('members')
      .values({
        user_id: colleague.user._id,
        organization_id: person.organization._id,
        role: 'admin',
        created_at: new Date(),
      })
      .execute()
    expect((await getPlan()).members).toEqual({ used: 2, allowed: 1 })
    await root.updateTable('plans').set({ members: 5 }).where('slug', '=', 'parking').execute()
  })
})

describe('a request', () => {
  it('to change is kept, shown, written to the sales team, and can be withdrawn', async () => {
    const made = await person.http.mutation(api.billing.requestChange, { planSlug: 'pro', note: 'Нас уже шестеро' })
    expect(made).toMatchObject({ kind: 'change', plan: { slug: 'pro', name: 'Pro' }, note: 'Нас уже шестеро' })
    expect((await getPlan()).request).toEqual(made)
    const [letter] = await lettersAbout(person.organization._id, 1)
    expect(letter).toContain('Нас уже шестеро')
    expect(letter).toContain(person.email)
    await person.http.mutation(api.billing.withdrawRequest, {})
    await person.http.mutation(api.billing.withdrawRequest, {})
    expect((await getPlan()).request).toBeNull()
    await lettersAbout(person.organization._id, 2)
  })

  it('is one at a time, however many are made at once', async () => {
    const ask = () => codeOf(person.http.mutation(api.billing.requestCancellation, { reason: 'Сезон закончился' }))
    const codes = await Promise.all([ask(), ask(), ask()])
    expect(codes.filter((code) => code === undefined)).toHaveLength(1)
    expect(codes.filter((code) => code === 'plan_request_pending')).toHaveLength(2)
    expect((await getPlan()).request).toMatchObject({ kind: 'cancellation', plan: null })
  })

  it('is refused for a plan that is not offered, and for the one that holds already', async () => {
    const ask = (planSlug: string) => codeOf(person.http.mutation(api.billing.requestChange, { planSlug }))
    expect(await ask('gold')).toBe('plan_not_found')
    expect(await ask('parking')).toBe('plan_is_current')
    expect((await getPlan()).request).toBeNull()
  })

  it('of one organization is none of another', async () => {
    await person.http.mutation(api.billing.requestChange, { planSlug: 'pro' })
    const other = await app.signUp()
    expect((await other.http.query(api.billing.getPlan, {})).request).toBeNull()
    await other.http.mutation(api.billing.withdrawRequest, {})
    expect((await getPlan()).request).not.toBeNull()
  })
})
