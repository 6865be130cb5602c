// A newcomer connects a WhatsApp number: instance, code, first message; an operator answers on the phone; WhatsApp restricts the number.
import type { Page } from '@playwright/test'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PHONE = '77001234567'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('ru 375 light')) {
  test(`a number is connected, answers and is taken over from the phone: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectNumber(await context.newPage(), look)
    await context.close()
  })
}

async function connectNumber(page: Page, { language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const { greenApi } = installation
  const instance = greenApi.addInstance({ state: 'notAuthorized' })

  await page.goto('/channels')
  await page.getByRole('link', { name: 'WhatsApp', exact: true }).click()
  await press('setup.next')
  await press('setup.connect')
  await expect(words('whatsappSetup.idRequired')).toBeVisible()
  await page.getByLabel(say('channels', 'whatsappSetup.idInstance')).fill(instance.idInstance)
  await page.getByLabel(say('channels', 'whatsappSetup.apiToken')).fill('f'.repeat(50))
  await press('setup.connect')
  await expect(page.getByText(say('errors', 'whatsapp_credentials_invalid'))).toBeVisible()
  await page.getByLabel(say('channels', 'whatsappSetup.apiToken')).fill(instance.apiToken)
  await press('setup.connect')

  greenApi.faults.qr = { type: 'passkeyRequired', message: '' }
  await expect(words('whatsappLink.passkey')).toBeVisible({ timeout: 30_000 })
  greenApi.faults.qr = null
  await press('whatsappLink.renew')
  const code = page.getByRole('img', { name: say('channels', 'whatsappLink.pictureAlt') })
  await expect(code).toBeVisible({ timeout: 30_000 })
  await page.reload() // the address restores the step
  await expect(code).toBeVisible({ timeout: 30_000 })
  greenApi.scan(instance.idInstance)
  await expect(words('whatsappSetup.doneTitle', { name: `+${instance.phone}` })).toBeVisible({ timeout: 30_000 })

  greenApi.customerSays(instance.idInstance, { phone: PHONE, name: 'Bolat' }, 'Hello')
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => greenApi.sent.filter(({ idInstance }) => idInstance === instance.idInstance)).toHaveLength(1)

  greenApi.phoneSays(instance.idInstance, PHONE, 'This is the owner')
  await page.goto('/chats')
  await page.getByRole('link', { name: /Bolat/ }).click()
  await expect(page.getByRole('main').getByText('This is the owner').first()).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: say('conversations', 'banner.resume') })).toBeVisible()

  instance.settings.stateWebhook = 'no'
  await page.goto('/channels/whatsapp/production-test?tab=validation')
  await press('whatsappChecks.run')
  await expect(words('whatsappChecks.fixes.notifications')).toBeVisible({ timeout: 30_000 })
  await press('whatsappChecks.setUp')
  await expect.poll(() => instance.settings.stateWebhook, { timeout: 30_000 }).toBe('yes')
  await greenApi.waitFor(() => instance.state === 'authorized', 'the instance to have started')

  greenApi.setState(instance.idInstance, 'yellowCard')
  await page.goto('/agents')
  await expect(page.getByText(say('common', 'numberAlert.stopped', { name: `+${instance.phone}` }))).toBeVisible({
    timeout: 30_000,
  })
  await page.goto('/channels/whatsapp')
  await page.getByRole('link', { name: `+${instance.phone}` }).click()
  await expect(words('accountNotice.yellowCard.title')).toBeVisible({ timeout: 30_000 })
  await expect(page.getByRole('button', { name: say('channels', 'whatsappTest.send'), exact: true })).toBeDisabled()
  instance.held = greenApi.sent.slice(0, 1)
  await press('whatsappQueue.clear')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: say('channels', 'whatsappQueue.clear') })
    .click()
  await expect.poll(() => instance.held, { timeout: 30_000 }).toEqual([])

  const delay = page.getByLabel(say('channels', 'whatsappSettings.delay'))
  await delay.fill('499')
  await expect(delay).toHaveAttribute('aria-invalid', 'true')
  await delay.fill('2000')
  await press('whatsappSettings.save')
  await expect.poll(() => instance.settings.delaySendMessagesMilliseconds, { timeout: 30_000 }).toBe(2000)
}
