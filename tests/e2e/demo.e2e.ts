// A newcomer connects every channel in the demo, using only what the screens and the provider pages next to it show.
import type { BrowserContext, Page } from '@playwright/test'
import { DEMO_PASSWORD } from '#tests/seeds/demo.ts'
import { DEMO_START_LIMIT_MS, type Demo, startDemo } from './demo.process.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'

const QUESTION = 'Вы на связи?'

let say: ReturnType<typeof wordsOf>
let demo: Demo | undefined
let baseURL: string

for (const look of looksOf('ru 1280 dark')) {
  test.describe(look.name, () => {
    test.beforeAll(async () => {
      test.setTimeout(DEMO_START_LIMIT_MS)
      say = wordsOf(look.language)
      demo = await startDemo('--empty')
      baseURL = demo.url
    })
    test.afterAll(() => demo?.stop())

    test.use({ actionTimeout: 20_000 })

    test('every channel is connected in the demonstration, and a customer is answered in it', async ({ browser }) => {
      const person = { email: 'newcomer@parley.local', password: DEMO_PASSWORD }
      const context = await openContext(browser, look, { baseURL, person, locale: look.language })
      const page = await context.newPage()
      await page.goto('/agents')
      await page
        .getByRole('button', { name: say('agents', 'list.create') })
        .first()
        .click()
      await page.getByRole('dialog').getByLabel(say('agents', 'create.name')).fill('Консультант')
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/settings/)
      await connectTelegram(context, page)
      await connectNumber(context, page)
      await connectCloud(context, page)
      await connectMax(context, page)
      await connectVk(context, page)
      await connectInstagram(context, page)
      await connectSite(context, page)
      await connectProgram(context, page)
      await connectAlerts(context, page)
      await context.close()
    })
  })
}

async function connectTelegram(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'telegram')
  const phone = await opened(context, page, 'demonstration.open.bot')
  const token = await phone.locator('#token').innerText()
  await page.getByLabel(say('channels', 'setup.token')).fill(token)
  await press(page, 'setup.connect')
  const bot = page.getByRole('link', { name: /@my_first_agent_bot/ })
  const [chat] = await Promise.all([context.waitForEvent('page'), bot.click()])
  await ask(chat)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expectPlayed(page, 'connection.openBot')
}

/** A customer who follows the link writes on the page that simulates the messenger; nothing is sent outside. */
async function expectPlayed(page: Page, label: string): Promise<void> {
  const link = page.getByRole('link', { name: say('channels', label) })
  await expect(link).toHaveAttribute('href', /^http:\/\/localhost:\d+\//)
}

/** The user receives alerts in Telegram, from a bot that is no channel. */
async function connectAlerts(context: BrowserContext, page: Page): Promise<void> {
  const label = (key: string) => say('settings', `alerts.${key}`)
  await page.goto('/settings/notifications')
  await page.getByRole('button', { name: label('telegramConnect') }).click()
  const link = page.getByRole('link', { name: label('telegramOpen') })
  const [phone] = await Promise.all([context.waitForEvent('page'), link.click()])
  await expect(phone.locator('#text')).toHaveValue(/^\/start /)
  await phone.locator('#text').press('Enter')
  await expect(phone.locator('#log')).toContainText('/stop')
  const telegram = page
    .locator('section')
    .filter({ has: page.getByRole('heading', { name: label('telegram'), exact: true }) })
  await telegram.getByRole('button', { name: label('test') }).click()
  await expect(phone.locator('#log')).toContainText(say('common', 'alerts.test'))
  await expectAccessible(page, 'alerts in Telegram')
}

/** Linked by the code first, unlinked, and linked again by the QR code. */
async function connectNumber(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'whatsapp')
  const phones = await opened(context, page, 'demonstration.open.instance')
  await page
    .getByLabel(say('channels', 'whatsappSetup.idInstance'))
    .fill(await phones.locator('#idInstance').innerText())
  await page.getByLabel(say('channels', 'whatsappSetup.apiToken')).fill(await phones.locator('#apiToken').innerText())
  await press(page, 'setup.connect')
  await expect(page.getByRole('img', { name: say('channels', 'whatsappLink.pictureAlt') })).toBeVisible()
  await words(page, 'whatsappLink.byCode').click()
  await page.getByLabel(say('channels', 'whatsappLink.phone'), { exact: true }).fill('+7 900 555 02 02')
  await press(page, 'whatsappLink.getCode')
  const phone = await opened(context, page, 'demonstration.open.link')
  await phone.locator('#code').fill('WRONG')
  await phone.locator('#enter').click()
  await expect(phone.locator('#linked')).not.toBeEmpty()
  await phone.locator('#code').fill(await page.locator('output').innerText())
  await phone.locator('#enter').click()
  await expect(words(page, 'whatsappSetup.doneTitle', { name: '+79005550202' })).toBeVisible({ timeout: 60_000 })
  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expectPlayed(page, 'whatsappSetup.openChat')
  await press(page, 'whatsappInstance.logout')
  const sure = page.getByRole('alertdialog')
  await sure.getByRole('button', { name: say('channels', 'whatsappInstance.logout') }).click()
  await page.getByRole('link', { name: say('channels', 'accountNotice.link') }).click()
  await expect(page.getByRole('img', { name: say('channels', 'whatsappLink.pictureAlt') })).toBeVisible({
    timeout: 30_000,
  })
  await phone.locator('#scan').click()
  const chat = await opened(context, page, 'whatsappSetup.openChat')
  await ask(chat)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

/** The webhook is entered where the demo simulates Meta's dashboard. */
async function connectCloud(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'whatsapp-cloud')
  const phone = await opened(context, page, 'demonstration.open.cloudNumber')
  await phone.locator('#accessToken').filter({ hasText: 'EAA' }).waitFor()
  for (const name of ['phoneNumberId', 'accountId', 'accessToken', 'appSecret']) {
    const entry = page.getByLabel(say('channels', `whatsappCloud.${name}`))
    await entry.fill(await phone.locator(`#${name}`).innerText())
  }
  await press(page, 'setup.connect')
  await expect(words(page, 'cloudSetup.waiting')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('main code')).toHaveCount(2)
  await expectAccessible(page, 'the address of a number')
  const [url = '', verifyToken = ''] = await page.locator('main code').allInnerTexts()
  await phone.locator('#url').fill(url)
  await phone.locator('#verifyToken').fill(verifyToken)
  await phone.locator('#hook button').click()
  await expect(words(page, 'cloudSetup.doneTitle', { name: '+79005550303' })).toBeVisible({ timeout: 30_000 })
  await expectPlayed(page, 'whatsappCloud.openChat')
  await expectAccessible(phone, 'the phone of the Cloud API')
  await ask(phone)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

async function connectMax(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'max')
  const phone = await opened(context, page, 'demonstration.open.messenger')
  const token = phone.locator('#token').filter({ hasText: 'f9LHod' })
  await page.getByLabel(say('channels', 'messengers.max.fields.token.label')).fill(await token.innerText())
  await press(page, 'setup.connect')
  await expect(words(page, 'messenger.doneTitle', { name: 'pine_shore_bot' })).toBeVisible({ timeout: 30_000 })
  await expectPlayed(page, 'messenger.openChat')
  await expectAccessible(phone, 'the phone of MAX')
  await ask(phone)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

async function connectVk(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'vk')
  const phone = await opened(context, page, 'demonstration.open.messenger')
  const token = phone.locator('#token').filter({ hasText: 'vk1.a.' })
  await page.getByLabel(say('channels', 'messengers.vk.fields.token.label')).fill(await token.innerText())
  await press(page, 'setup.connect')
  await expect(words(page, 'messenger.doneTitle', { name: 'pine_shore' })).toBeVisible({ timeout: 30_000 })
  await expectPlayed(page, 'messenger.openChat')
  await expectAccessible(phone, 'the page of VK')
  await ask(phone)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

/** The webhook is entered where the demo simulates Meta's dashboard. */
async function connectInstagram(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'instagram')
  const phone = await opened(context, page, 'demonstration.open.messenger')
  await phone.locator('#accessToken').filter({ hasText: 'IGAA' }).waitFor()
  for (const name of ['accessToken', 'appSecret']) {
    const entry = page.getByLabel(say('channels', `messengers.instagram.fields.${name}.label`))
    await entry.fill(await phone.locator(`#${name}`).innerText())
  }
  await press(page, 'setup.connect')
  await expect(words(page, 'messenger.waiting')).toBeVisible({ timeout: 30_000 })
  await expect(page.locator('main code')).toHaveCount(2)
  const [url = '', verifyToken = ''] = await page.locator('main code').allInnerTexts()
  await phone.locator('#url').fill(url)
  await phone.locator('#verifyToken').fill(verifyToken)
  await phone.locator('#hook button').click()
  await expect(words(page, 'messenger.doneTitle', { name: 'pine.shore.hotel' })).toBeVisible({ timeout: 30_000 })
  await expectPlayed(page, 'messenger.openChat')
  await expectAccessible(phone, 'the phone of Instagram')
  await ask(phone)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

async function connectSite(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'webchat')
  const host = `localhost:${Number(new URL(baseURL).port) + 24}`
  await expect(words(page, 'demonstration.site', { host })).toBeVisible()
  await page.getByLabel(say('channels', 'webchat.domains')).fill(host)
  await page.keyboard.press('Enter')
  await press(page, 'webchat.create')
  await expect(page).not.toHaveURL(/setup/)
  const site = await opened(context, page, 'demonstration.open.site')
  const chat = site.frameLocator('iframe')
  await chat.getByRole('button').first().click()
  await chat.getByRole('textbox').fill(QUESTION)
  await site.keyboard.press('Enter')
  await expect(chat.locator('.bubble.agent:not(.typing)')).toHaveCount(2, { timeout: 30_000 })
}

async function connectProgram(context: BrowserContext, page: Page): Promise<void> {
  await begin(page, 'http')
  const program = await opened(context, page, 'demonstration.open.program')
  await page.getByLabel(say('channels', 'httpForm.name')).fill('Магазин')
  await page.getByLabel(say('channels', 'httpForm.url')).fill(await page.locator('main code').innerText())
  await press(page, 'setup.connect')
  await expect(words(page, 'httpSetup.doneTitle', { name: 'Магазин' })).toBeVisible()
  await expectAccessible(page, 'the secrets')
  await program.locator('#pasted').fill(await page.locator('main code').last().innerText())
  await program.locator('#connect button').click()
  // A test event before the secrets are stored is refused, and events after a refusal wait for half a minute.
  await expect(program.locator('#form')).toBeVisible()
  await press(page, 'http.test')
  await expect(program.locator('#known')).toContainText('the test has arrived')
  await expect(words(page, 'setup.waiting')).toBeVisible()
  await expectAccessible(program, 'the example program')
  await ask(program)
  await expect(words(page, 'setup.received')).toBeVisible({ timeout: 30_000 })
}

/** Chooses the only agent. */
async function begin(page: Page, channel: string): Promise<void> {
  await page.goto(`/channels/${channel}/setup`)
  await press(page, 'setup.next')
}

/** The page that a link opens. */
async function opened(context: BrowserContext, page: Page, key: string): Promise<Page> {
  const link = page.getByRole('link', { name: say('channels', key) })
  const [next] = await Promise.all([context.waitForEvent('page'), link.click()])
  await next.waitForLoadState()
  return next
}

/** Writes as a customer and waits for the answer. */
async function ask(phone: Page): Promise<void> {
  await phone.locator('#text').fill(QUESTION)
  await phone.keyboard.press('Enter')
  await expect(phone.locator('#log li:not(.me)').first()).toBeVisible({ timeout: 30_000 })
}

const words = (page: Page, key: string, values?: Record<string, string>) =>
  page.getByText(say('channels', key, values)).first()
const press = (page: Page, key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
