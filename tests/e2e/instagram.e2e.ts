// A newcomer connects an Instagram account: its token and the secret of the app, the address at Meta, the first message and its answer; then
// the account is tried out and taken away.
import type { Page } from '@playwright/test'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation({ isPublic: true })
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('en 1280 dark')) {
  test(`an account is connected, answers and is taken away: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectAccount(await context.newPage(), look)
    await context.close()
  })
}

async function connectAccount(page: Page, { id, number, language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const field = (key: string) => page.getByLabel(say('channels', `messengers.instagram.${key}`))
  const { instagram } = installation
  const account = instagram.addAccount({ username: `coffee.${id}` })

  await page.goto('/channels')
  await page.getByRole('link', { name: 'Instagram', exact: true }).click()
  await press('setup.next')
  await expect(words('messengers.instagram.guideLink')).toBeVisible()
  await expectAccessible(page, 'the entry')
  await field('fields.accessToken.label').fill(`EAA${'0'.repeat(40)}`)
  await field('fields.appSecret.label').fill('secret')
  await press('setup.connect')
  await expect(words('messengers.instagram.fields.accessToken.wrong')).toBeVisible()
  await expect(words('messengers.instagram.fields.appSecret.wrong')).toBeVisible()
  await field('fields.accessToken.label').fill(account.accessToken)
  await field('fields.appSecret.label').fill(account.app.secret.toUpperCase())
  instagram.faults.refusesSubscriptions = true
  await press('setup.connect')

  await expect(words('messenger.refusedHelp', { name: 'Instagram' })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'a refusal')
  instagram.faults.refusesSubscriptions = false
  await expect(words('messenger.waiting')).toBeVisible({ timeout: 30_000 })
  await page.reload() // the address brings one back to the same step
  await press('messenger.check')
  await expect(words('messenger.stillPending')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the address')
  const [url = '', verifyToken = ''] = await page.locator('main code').allTextContents()
  expect(await instagram.enterWebhook(account.userId, { url, verifyToken })).toBe(true)
  await expect(words('messenger.doneTitle', { name: account.username })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the first message')

  const bolat = { id: `424242424${number}`, name: 'Bolat', username: 'bolat' }
  instagram.customerSays(account.userId, bolat, 'Hello')
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => instagram.sentTo(bolat.id).length, { timeout: 30_000 }).toBe(1)
  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expect(words('messenger.secretsTitle')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the connection')
  await field('chat').fill('Bolat')
  await press('messenger.testSend')
  await expect(words('messengers.instagram.chatWrong')).toBeVisible()
  await field('chat').fill(bolat.id)
  await press('messenger.testSend')
  await expect(words('messenger.testSent')).toBeVisible({ timeout: 30_000 })

  await page.goto('/chats')
  await expect(page.getByRole('link', { name: /Bolat/ })).toBeVisible({ timeout: 30_000 })
  await page.goBack()
  await press('connection.disconnect')
  await press('connection.disconnectConfirm')
  await expect(words('messenger.emptyTitle')).toBeVisible({ timeout: 30_000 })
  expect(account.subscribedFields).toEqual([])
}
