// Two colleagues and the number's phone in one conversation at once: the agent is silent while any of them answers, and all see the same.
import type { Browser, Page } from '@playwright/test'
import pg from 'pg'
import { createMigratedDatabase } from '#tests/database.ts'
import type { ChatRequest } from '#tests/fakes/openai/openai.request.ts'
import { type Credentials, call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const CUSTOMER = '77001112233'
const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 42' }
let say: ReturnType<typeof wordsOf>
const word = (key: string, values: Record<string, string> = {}) => say('conversations', key, values)

let database: Awaited<ReturnType<typeof createMigratedDatabase>>
let installation: Installation
let idInstance: string
let anna: Page
let boris: Page

for (const look of looksOf('en 1280 dark')) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      database = await createMigratedDatabase()
      installation = await startInstallation({
        hasModel: true,
        isFromNothing: true,
        env: { DATABASE_URL: database.url },
      })
      const { url, greenApi } = installation
      const session = await signUp(url, ANNA, 'Anna & Co')
      await signUp(url, BORIS, 'Boris alone')
      await joinTeam(BORIS, session.organizationId)
      const agentId = idOf(
        await call(session, 'mutation', 'agents:create', { name: 'Helper', model: 'openai/gpt-4.1-mini' }),
      )
      const instance = greenApi.addInstance()
      idInstance = instance.idInstance
      const { apiToken } = instance
      await call(session, 'action', 'channels/whatsapp:provision', { agentId, idInstance, apiToken })
      installation.openai?.reply((request) => ({ text: `You said: ${questionOf(request)}` }))
      customerSays('Good day')
      await expect.poll(received).toEqual(['You said: Good day'])
      anna = await openConversation(browser, look, ANNA)
      boris = await openConversation(browser, look, BORIS)
    })
    test.afterAll(async () => {
      await anna?.context().close()
      await boris?.context().close()
      await installation?.close()
      await database?.drop()
    })

    test('each sees that the other is writing', async () => {
      await box(anna).pressSequentially('We')
      await expect(boris.getByText(word('colleagues.typing', { names: ANNA.name }))).toBeVisible()
      await expectAccessible(boris, 'a colleague is writing')
      await box(boris).pressSequentially('I')
      await expect(anna.getByText(word('colleagues.typing', { names: BORIS.name }))).toBeVisible()
    })

    test('all three answer while the agent is generating, and the agent falls silent', async () => {
      const { openai, greenApi } = installation
      if (!openai) throw new Error('this story needs a model')
      openai.reply(() => ({ failure: 'hang' }))
      customerSays('Is my order ready?')
      await openai.arrived(2)
      await expect(anna.getByText(word('page.typing', { name: 'Helper' }))).toBeVisible()
      await box(anna).fill('Anna: it is ready')
      await box(boris).fill('Boris: come by today')
      const phone = async () => greenApi.phoneSays(idInstance, CUSTOMER, 'Owner: I bring it to you')
      await Promise.all([box(anna).press('Enter'), box(boris).press('Enter'), phone()])
      await openai.disconnected(1)
      await expect.poll(() => received().length).toBe(3) // the phone shows its own message itself
      expect(received().toSorted()).toEqual(['Anna: it is ready', 'Boris: come by today', 'You said: Good day'])
      for (const page of [anna, boris]) {
        for (const text of ['Anna: it is ready', 'Boris: come by today', 'Owner: I bring it to you'])
          await expect(log(page).getByText(text, { exact: true })).toHaveCount(1)
        await expect(resume(page)).toBeVisible()
        await expect(box(page)).toHaveValue('')
      }
      expect(await shown(boris)).toEqual(await shown(anna))
    })

    test('the agent leaves the customer to them while it is paused', async () => {
      const asked = installation.openai?.requests.length
      installation.openai?.reply((request) => ({ text: `You said: ${questionOf(request)}` }))
      customerSays('Thank you, at what time?')
      for (const page of [anna, boris]) await expect(log(page).getByText('Thank you, at what time?')).toBeVisible()
      await log(boris)
        .getByRole('listitem')
        .filter({ has: boris.getByText('Thank you, at what time?', { exact: true }) })
        .getByRole('button', { name: say('why', 'ofMessage') })
        .focus()
      await boris.keyboard.press('Enter')
      await expect(boris.getByRole('dialog', { name: say('why', 'title') })).toContainText(
        say('why', 'standing.paused'),
      )
      await boris.keyboard.press('Escape')
      expect(installation.openai?.requests.length).toBe(asked)
      expect(received()).toHaveLength(3)
    })

    test('one resumes the agent while the other replies: both see its state, and the agent answers once when it may', async () => {
      await box(boris).fill('Boris: at six')
      await Promise.all([resume(anna).click(), box(boris).press('Enter')])
      await expect.poll(() => received().filter((text) => text === 'Boris: at six')).toHaveLength(1)
      await expect(log(anna).getByText('Boris: at six', { exact: true })).toBeVisible()
      await expect(anna.locator('[aria-busy=true]')).toHaveCount(0)
      // If the agent was resumed first, it may have answered; but not after Boris.
      const texts = received()
      expect(texts.indexOf('You said: Thank you, at what time?')).toBeLessThan(texts.indexOf('Boris: at six'))
      // The last action decides, for both.
      await expect.poll(async () => (await resume(anna).count()) === (await resume(boris).count())).toBe(true)
      if ((await resume(anna).count()) > 0) await resume(anna).click()
      for (const page of [anna, boris]) await expect(resume(page)).toBeHidden()
      const before = received().length
      customerSays('See you at six')
      await expect.poll(() => received().slice(before)).toEqual(['You said: See you at six'])
      for (const page of [anna, boris]) await expect(log(page).getByText('You said: See you at six')).toHaveCount(1)
      expect(await shown(boris)).toEqual(await shown(anna))
    })
  })
}

/** Only an administrator can add members to a team. */
async function joinTeam({ email }: Credentials, organizationId: string): Promise<void> {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  await client.query(
    "update members set organization_id = $1, role = 'admin' where user_id = (select id from users where email = $2)",
    [organizationId, email],
  )
  await client.end()
}

async function openConversation(browser: Browser, look: Look, person: Credentials): Promise<Page> {
  const context = await openContext(browser, look, { baseURL: installation.url, person })
  const page = await context.newPage()
  await page.goto('/chats')
  await page.getByRole('link', { name: /Bolat/ }).click()
  await expect(log(page).getByText('You said: Good day')).toBeVisible()
  return page
}

function customerSays(text: string): void {
  installation.greenApi.customerSays(idInstance, { phone: CUSTOMER, name: 'Bolat' }, text)
}

function received(): string[] {
  return installation.greenApi.sentTo(CUSTOMER).map(({ text }) => text)
}

function questionOf({ messages }: ChatRequest): string {
  return messages.findLast(({ role }) => role === 'user')?.content ?? ''
}

function log(page: Page) {
  return page.getByRole('region', { name: word('page.messages') })
}

/** The log of the conversation, from top to bottom. */
function shown(page: Page): Promise<string[]> {
  return log(page).getByRole('listitem').allInnerTexts()
}

function box(page: Page) {
  return page.getByLabel(word('reply.label'))
}

function resume(page: Page) {
  return page.getByRole('button', { name: word('banner.resume') })
}
