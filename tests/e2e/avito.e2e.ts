// A newcomer connects an account of Avito: an agent, its keys, the first message under an ad and its answer; then the account is
// tried out, given another key and taken away.
import type { Page } from '@playwright/test'
import { channelName } from '#shared/channels/manifests.ts'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const ad = { id: 17, title: 'Mazda 3 2008', priceString: '300 000 ₽', url: 'https://avito.ru/mazda_17' }
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation({ isPublic: true })
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('ru 375 light')) {
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
  const field = (key: string) => page.getByLabel(say('channels', key))
  const { avito } = installation
  const account = avito.addAccount({ name: `Coffee ${id}` })
  const bolat = { id: 500 + number, name: 'Bolat' }

  await page.goto('/channels')
  await page.getByRole('link', { name: channelName('avito', language), exact: true }).click()
  await press('setup.next')
  await expect(words('messengers.avito.guideLink')).toBeVisible()
  await expectAccessible(page, 'the entry')
  await press('setup.connect')
  await expect(words('messengers.avito.fields.clientSecret.wrong')).toBeVisible()
  await field('messengers.avito.fields.clientId.label').fill(account.clientId)
  await field('messengers.avito.fields.clientSecret.label').fill('0'.repeat(40))
  await press('setup.connect')
  await expect(page.getByText(say('errors', 'messenger_credentials_invalid'))).toBeVisible({ timeout: 30_000 })
  await field('messengers.avito.fields.clientSecret.label').fill(` ${account.clientSecret} `)
  await press('setup.connect')

  await expect(words('messenger.doneTitle', { name: account.name })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the first message')
  const { userId } = account
  const chat = avito.chat(userId, bolat, ad)
  avito.customerSays(userId, bolat, 'Hello', ad)
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => avito.sentTo(userId, chat.id).length, { timeout: 30_000 }).toBe(1)

  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expect(words('messengers.avito.delivery')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the connection')
  await press('messenger.check')
  await expect(words('messenger.checked')).toBeVisible({ timeout: 30_000 })
  await field('messengers.avito.chat').fill('Болат')
  await press('messenger.testSend')
  await expect(words('messengers.avito.chatWrong')).toBeVisible()
  await field('messengers.avito.chat').fill(chat.id)
  await press('messenger.testSend')
  await expect(words('messenger.testSent')).toBeVisible({ timeout: 30_000 })
  expect(avito.sentTo(userId, chat.id).at(-1)?.content.text).toBe(say('channels', 'messenger.testSample'))

  Object.assign(account, { clientSecret: `${id}${'k'.repeat(40 - id.length)}`, tokens: new Map() })
  await field('messengers.avito.fields.clientSecret.label').fill(account.clientSecret)
  await press('messenger.replace')
  await expect(words('messenger.replaced')).toBeVisible({ timeout: 30_000 })
  const other = { ...ad, id: 18 }
  avito.customerSays(userId, bolat, 'And this one?', other)
  const second = avito.chat(userId, bolat, other)
  await expect.poll(() => avito.sentTo(userId, second.id).length, { timeout: 30_000 }).toBe(1)

  await press('connection.disconnect')
  await press('connection.disconnectConfirm')
  await expect(words('messenger.emptyTitle')).toBeVisible({ timeout: 30_000 })
  expect(account.subscriptions).toEqual([])
}
