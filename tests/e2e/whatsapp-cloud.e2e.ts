// A newcomer connects a WhatsApp number through Meta's Cloud API: ids and secrets, the address at Meta, the first message; a day later
// only a template goes through.
import type { Page } from '@playwright/test'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, type Language, test, wordsOf } from './fixtures.ts'
import { type Installation, startInstallation } from './server.ts'

const DAY_MS = 24 * 3_600_000
const TEMPLATE = {
  name: 'order_ready',
  language: 'ru',
  status: 'APPROVED',
  category: 'UTILITY',
  components: [
    { type: 'BODY', text: '{{1}}, ваш заказ готов.' },
    { type: 'FOOTER', text: 'Parley Coffee' },
  ],
}
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
})
test.afterAll(async () => {
  await installation.close()
})

for (const [language, width, colorScheme] of [
  ['ru', 375, 'dark'],
  ['en', 1280, 'light'],
] as const) {
  test(`a number is connected, answers and sends a template: ${language}, ${width} px`, async ({ browser }) => {
    const context = await browser.newContext({
      baseURL: installation.url,
      viewport: { width, height: 800 },
      reducedMotion: 'reduce',
      colorScheme,
    })
    await context.addInitScript((chosen) => localStorage.setItem('parley-language', chosen), language)
    await connectNumber(await context.newPage(), language)
    await context.close()
  })
}

async function connectNumber(page: Page, language: Language): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const fill = (key: string, text: string) => page.getByLabel(say('channels', `whatsappCloud.${key}`)).fill(text)
  const { whatsappCloud: cloud } = installation
  const number = cloud.addNumber({ templates: [TEMPLATE] })
  await signIn(page, `cloud-${language}@example.com`)

  await page.goto('/channels')
  await page.getByRole('link', { name: say('channels', 'whatsappCloud.title'), exact: true }).click()
  await press('setup.next')
  await press('setup.connect')
  await expect(words('cloudSetup.idFormat')).toBeVisible()
  await fill('phoneNumberId', number.phoneNumberId)
  await fill('accountId', number.accountId)
  await fill('accessToken', number.accessToken)
  await fill('appSecret', '0'.repeat(32))
  await press('setup.connect')
  await expect(page.getByText(say('errors', 'cloud_secret_invalid'))).toBeVisible()
  await fill('appSecret', number.appSecret)
  await press('setup.connect')

  await expect(words('cloudSetup.waiting')).toBeVisible({ timeout: 30_000 })
  await page.reload() // the address brings one back to the same step
  await press('cloudSetup.check')
  await expect(words('cloudSetup.stillPending')).toBeVisible({ timeout: 30_000 })
  const [url = '', verifyToken = ''] = await page.locator('main code').allTextContents()
  expect(await cloud.enterWebhook(number.phoneNumberId, { url, verifyToken })).toBe(true)
  const name = `+${number.phone.replaceAll(/\D/g, '')}`
  await expect(words('cloudSetup.doneTitle', { name })).toBeVisible({ timeout: 30_000 })

  const phone = language === 'ru' ? '77001234567' : '77007654321'
  cloud.customerSays(number.phoneNumberId, { phone, name: 'Bolat' }, 'Hello')
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => cloud.sentTo(phone).length, { timeout: 30_000 }).toBe(1)
  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expect(page.getByText('Parley Coffee')).toBeVisible({ timeout: 30_000 })

  await page.clock.setFixedTime(Date.now() + DAY_MS + 60_000)
  await page.goto('/chats')
  await page.getByRole('link', { name: /Bolat/ }).click()
  await expect(page.getByText(say('conversations', 'template.closed'))).toBeVisible({ timeout: 30_000 })
  await page.getByRole('button', { name: say('conversations', 'template.choose') }).click()
  const dialog = page.getByRole('dialog')
  const send = dialog.getByRole('button', { name: say('conversations', 'template.send') })
  await send.click()
  await expect(dialog.getByText(say('conversations', 'template.required'))).toBeVisible()
  await dialog.getByLabel(say('conversations', 'template.place', { key: '1' })).fill('Bolat')
  await expect(dialog.getByText('Bolat, ваш заказ готов.')).toBeVisible()
  await send.click()
  await expect(dialog).toBeHidden({ timeout: 30_000 })
  await expect.poll(() => cloud.sentTo(phone)[1]?.template?.words, { timeout: 30_000 }).toEqual(['Bolat'])
  await expect(page.getByRole('main').getByText('Bolat, ваш заказ готов.').first()).toBeVisible()
}

async function signIn(page: Page, email: string): Promise<void> {
  const person = { name: 'Anna', email, password: 'correct horse 42' }
  const session = await signUp(installation.url, person, 'Anna & Co')
  await call(session, 'mutation', 'agents:create', { name: 'Helper' })
  await page.goto('/signin')
  await page.locator('input[type=email]').fill(person.email)
  await page.locator('input[type=password]').fill(person.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/agents$/)
}
