// A newcomer connects a WhatsApp number through Meta's Cloud API: ids and secrets, the address at Meta, the first message; a day later
// only a template goes through.
import type { Page } from '@playwright/test'
import { channelName } from '#shared/channels/manifests.ts'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
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

for (const look of looksOf('en 1280 dark')) {
  test(`a number is connected, answers and sends a template: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectNumber(await context.newPage(), look)
    await context.close()
  })
}

async function connectNumber(page: Page, { number: place, language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const fill = (key: string, text: string) => page.getByLabel(say('channels', `whatsappCloud.${key}`)).fill(text)
  const { whatsappCloud: cloud } = installation
  const number = cloud.addNumber({ templates: [TEMPLATE] })

  await page.goto('/channels')
  await page.getByRole('link', { name: channelName('whatsappCloud', language), exact: true }).click()
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

  const phone = `7700123456${place}`
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
