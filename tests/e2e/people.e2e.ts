// Colleagues: invited by a link, they sign up and answer a customer; their role changes while they work; one person works in two organizations
// in two tabs; who is removed learns of it.
import type { Page } from '@playwright/test'
import type { CreatedInvite } from '#shared/organizations/members.ts'
import { type Credentials, call, idOf, type Session, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { isWide, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const CUSTOMER = '77001112233'
const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
const CLARA = { name: 'Clara', email: 'clara@example.com', password: 'correct horse 42' }

// Where the navigation stands on the screen and names the organization.
for (const look of looksOf('ru 1280 light').filter(isWide)) {
  test.describe(`people: ${look.name}`, () => {
    const say = wordsOf(look.language)
    const word = (key: string, values: Record<string, string> = {}) => say('conversations', key, values)
    const box = (page: Page) => page.getByLabel(word('reply.label'))
    let installation: Installation
    let anna: Session
    let boris: Page

    test.beforeAll(async () => {
      installation = await startInstallation({ hasModel: true, isFromNothing: true })
      const { url, greenApi, openai } = installation
      anna = await signUp(url, ANNA, 'Hotel')
      openai?.reply(() => ({ text: 'Good day!' }))
      const agentId = idOf(
        await call(anna, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
      )
      const { idInstance, apiToken } = greenApi.addInstance()
      await call(anna, 'action', 'channels/whatsapp:provision', { agentId, idInstance, apiToken })
      greenApi.customerSays(idInstance, { phone: CUSTOMER, name: 'Bolat' }, 'Hello')
      await expect.poll(received).toEqual(['Good day!'])
    })
    test.afterAll(async () => {
      await boris?.context().close()
      await installation?.close()
    })

    test('the owner invites by a link, and the colleague joins in one step', async ({ browser }) => {
      const context = await openContext(browser, look, { baseURL: installation.url, person: ANNA })
      const page = await context.newPage()
      await page.goto('/settings/team')
      await page.getByRole('button', { name: say('settings', 'invites.invite'), exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('textbox').fill(BORIS.email)
      await dialog.getByRole('button', { name: say('settings', 'invites.send'), exact: true }).click()
      const link = await dialog.locator('code').innerText()
      await expectAccessible(page, 'the link of an invitation')

      const guest = await openContext(browser, look, { baseURL: installation.url })
      boris = await guest.newPage()
      await boris.goto(link)
      await expect(boris).toHaveURL(/\/invite$/)
      await expect(boris.getByRole('heading', { level: 1 })).toHaveText(
        say('auth', 'invite.title', { organization: 'Hotel' }),
      )
      await expectAccessible(boris, 'an invitation')
      await boris.getByLabel(say('auth', 'field.name')).fill(BORIS.name)
      await boris.getByLabel(say('auth', 'field.password'), { exact: true }).fill(BORIS.password)
      await boris.getByLabel(say('auth', 'field.confirmPassword')).fill(BORIS.password)
      await boris.getByRole('button', { name: say('auth', 'invite.create') }).click()
      await expect(boris).toHaveURL(/\/chats$/)
      await expect(boris.getByRole('complementary').getByText('Hotel')).toBeVisible()
      await expect(page.getByText(BORIS.email).first()).toBeVisible()
      await context.close()
    })

    test('the colleague answers a customer, and cannot once the role is another one', async () => {
      await boris.goto('/chats')
      await boris.getByRole('link', { name: /Bolat/ }).click()
      await box(boris).fill('Boris here')
      await box(boris).press('Enter')
      await expect.poll(received).toContain('Boris here')
      const userId = await idOfMember(BORIS)
      await call(anna, 'mutation', 'organizations/members:setRole', { userId, role: 'analyst' })
      await expect(box(boris)).toBeHidden()
    })

    test('one person works in two organizations in two tabs', async ({ browser }) => {
      await signUp(installation.url, CLARA, 'Clara and sons')
      const made = await invite(CLARA, 'builder')
      const context = await openContext(browser, look, { baseURL: installation.url, person: CLARA })
      const own = await context.newPage()
      await own.goto('/agents')
      await expect(place(own)).toContainText('Clara and sons')
      const hotel = await context.newPage()
      await hotel.goto(made.link)
      await hotel.getByRole('button', { name: say('auth', 'invite.accept') }).click()
      await expect(hotel).toHaveURL(/\/agents$/)
      await expect(hotel.getByText('Helper').first()).toBeVisible()
      await own.reload()
      await expect(place(own)).toContainText('Clara and sons')
      await expect(own.getByText('Helper')).toHaveCount(0)
      await hotel.reload()
      await expect(hotel.getByText('Helper').first()).toBeVisible()

      await switchTo(own, /Hotel/)
      await expect(own.getByText('Helper').first()).toBeVisible()
      await switchTo(own, /Clara and sons/)
      await expect(place(own)).toContainText('Clara and sons')
      await expect(own.getByText('Helper')).toHaveCount(0)

      await call(anna, 'mutation', 'organizations/members:remove', { userId: await idOfMember(CLARA) })
      await expect(place(hotel)).toContainText('Clara and sons')
      await expect(hotel.getByText(say('common', 'organization.left', { name: 'Hotel' }))).toBeVisible()
      await context.close()
    })

    test('who is removed and has no other organization sees why, and may make one', async () => {
      await call(anna, 'mutation', 'organizations/members:remove', { userId: await idOfMember(BORIS) })
      await expect(boris.getByText(say('common', 'organization.left', { name: 'Hotel' }))).toBeVisible()
      await expectAccessible(boris, 'without an organization')
      await boris.getByLabel(say('common', 'organization.name')).fill('Boris alone')
      await boris.getByRole('button', { name: say('common', 'organization.create') }).click()
      await expect(place(boris)).toContainText('Boris alone')
    })

    function received(): string[] {
      return installation.greenApi.sentTo(CUSTOMER).map(({ text }) => text)
    }

    /** Which organization the navigation names. */
    function place(page: Page) {
      return page.getByRole('complementary')
    }

    async function switchTo(page: Page, name: RegExp): Promise<void> {
      await page.getByRole('button', { name: new RegExp(say('common', 'header.userMenu')) }).click()
      await page.getByRole('menuitemradio', { name }).click()
      await expect(place(page)).toContainText(name)
    }

    async function idOfMember({ email }: Credentials): Promise<string> {
      const members = (await call(anna, 'query', 'organizations/members:list', {})) as { _id: string; email: string }[]
      return members.find((each) => each.email === email)?._id ?? ''
    }

    async function invite({ email }: Credentials, role: string): Promise<CreatedInvite> {
      return (await call(anna, 'mutation', 'organizations/invites:create', { email, role })) as CreatedInvite
    }
  })
}
