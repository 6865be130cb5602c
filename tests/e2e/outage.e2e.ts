// The server's PostgreSQL goes away and comes back while people look at their screens: they see it without doing anything, lose nothing that they
// have typed, and go on where they were.
import type { Browser, BrowserContext, Locator, Page } from '@playwright/test'
import { type RestartablePostgres, startOwnPostgres } from '#tests/postgres.ts'
import { call } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'
import { type MadeChat, makeChat, OWNER } from './webchat.site.ts'

const CHAT_ID = 5100
/** What is promised is 2 s; a busy machine gets more. */
const SEEN_MS = 15_000
/** In which a server and its screens are themselves again. */
const BACK_MS = 90_000
let say: ReturnType<typeof wordsOf>
const word = (key: string) => say('conversations', key)

let postgres: RestartablePostgres
let installation: Installation
let botToken: string
let chat: MadeChat

for (const look of looksOf('en 1280 light')) {
  test.describe(look.name, () => {
    test.beforeAll(async () => {
      say = wordsOf(look.language)
      postgres = await startOwnPostgres()
      installation = await startInstallation({
        hasModel: true,
        isFromNothing: true,
        env: { DATABASE_URL: postgres.url },
      })
      const { url, telegram, openai } = installation
      openai?.reply(() => ({ text: 'Fine.' }))
      chat = await makeChat(url)
      botToken = telegram.addBot().token
      await call(chat.session, 'action', 'channels/telegram:provision', { agentId: chat.agentId, botToken })
      telegram.customerSays(botToken, { chatId: CHAT_ID, firstName: 'Aida' }, 'Hello')
      await telegram.waitForSent(CHAT_ID)
    })
    test.afterAll(async () => {
      await installation?.close()
      await postgres?.stop()
    })

    test('an outage of the database is seen by everyone, and nothing that was typed is lost', async ({ browser }) => {
      const inbox = await signIn(await newContext(browser, look, OWNER))
      await inbox.getByRole('link', { name: /Aida/ }).click()
      await expect(inbox.getByRole('heading', { name: 'Aida', level: 2 })).toBeVisible()
      const reply = inbox.getByLabel(word('reply.label'))
      await expect(reply).toBeVisible()
      await inbox.keyboard.type('We open at nine')
      await expect(reply).toHaveValue('We open at nine')
      const form = await inbox.context().newPage()
      await form.goto('/agents/helper/settings')
      const name = form.getByLabel(say('agents', 'settings.name'), { exact: true })
      await name.fill('Helper of the shop')
      const guest = await (await newContext(browser, look)).newPage()
      await guest.goto('/signin')
      await guest.locator('input[type=email]').fill('new@example.com')
      const visitor = await (await newContext(browser, look)).newPage()
      await visitor.goto(`/talk/${chat.key}`)
      const line = visitor.getByRole('textbox')
      await line.fill('Where are you?')

      await postgres.halt()
      for (const page of [inbox, form, guest]) await expect(banner(page)).toBeVisible({ timeout: SEEN_MS })
      await expect(visitor.getByRole('alert')).toBeVisible({ timeout: SEEN_MS })
      await expectAccessible(inbox, 'an outage')
      await line.press('Enter')
      await reply.press('Enter')
      await expect(inbox.getByText(say('errors', 'database_unavailable'))).toBeVisible({ timeout: BACK_MS })
      await expect(reply).toHaveValue('We open at nine')
      await expect(inbox.getByText('Server Error')).toHaveCount(0)
      await inbox.reload()
      await expect(inbox.getByText(say('common', 'boundary.database.title')).first()).toBeVisible({ timeout: BACK_MS })

      await postgres.resume()
      for (const page of [inbox, form, guest]) await expect(banner(page)).toHaveCount(0, { timeout: BACK_MS })
      await expect(name).toHaveValue('Helper of the shop')
      await expect(guest.locator('input[type=email]')).toHaveValue('new@example.com')
      await expect(visitor.getByText('Fine.')).toBeVisible({ timeout: BACK_MS })
      await expect(reply).toHaveValue('We open at nine', { timeout: BACK_MS })
      await reply.press('Enter')
      const sent = () => installation.telegram.sentTo(CHAT_ID).map(({ text }) => text)
      await expect.poll(sent).toContain('We open at nine')
      installation.telegram.customerSays(botToken, { chatId: CHAT_ID, firstName: 'Aida' }, 'Thank you!')
      const log = inbox.getByRole('region', { name: word('page.messages') })
      await expect(log.getByText('Thank you!')).toBeVisible({ timeout: BACK_MS })
      for (const page of [inbox, guest, visitor]) await page.context().close()
    })
  })
}

function banner(page: Page): Locator {
  return page.getByRole('alert').filter({ hasText: say('common', 'outage.body') })
}

async function signIn(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  await page.goto('/chats')
  await expect(page.getByRole('link', { name: /Aida/ })).toBeVisible()
  return page
}

function newContext(browser: Browser, look: Look, person?: typeof OWNER): Promise<BrowserContext> {
  const baseURL = installation.url
  return openContext(browser, look, { baseURL, reducedMotion: 'no-preference', ...(person && { person }) })
}
