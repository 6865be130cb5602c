// A newcomer connects a bot of MAX: an agent, a token, the first message and its answer; then the bot is tried out, given another token
// and taken away.
import type { Page } from '@playwright/test'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
})
test.afterAll(async () => {
  await installation.close()
})

for (const look of looksOf('ru 375 dark')) {
  test(`a bot is connected, answers and is taken away: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectBot(await context.newPage(), look)
    await context.close()
  })
}

async function connectBot(page: Page, { id, number, language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const field = (key: string) => page.getByLabel(say('channels', key))
  const { max } = installation
  const bot = max.addBot({ username: `coffee_${id}_bot` })

  await page.goto('/channels')
  await page.getByRole('link', { name: 'MAX', exact: true }).click()
  await press('setup.next')
  await expect(words('messengers.max.guideLink')).toBeVisible()
  await expectAccessible(page, 'the entry')
  await press('setup.connect')
  await expect(words('messengers.max.fields.token.wrong')).toBeVisible()
  await field('messengers.max.fields.token.label').fill(`f9LHod${'0'.repeat(40)}`)
  await press('setup.connect')
  await expect(page.getByText(say('errors', 'messenger_credentials_invalid'))).toBeVisible({ timeout: 30_000 })
  await field('messengers.max.fields.token.label').fill(` ${bot.token} `)
  await press('setup.connect')

  const name = bot.username
  await expect(words('messenger.doneTitle', { name })).toBeVisible({ timeout: 30_000 })
  await page.reload() // the address brings one back to the same step
  await expect(words('messenger.doneTitle', { name })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the first message')
  const bolat = { userId: 500 + number, firstName: 'Bolat' }
  const { chatId } = max.chatOf(bot.token, bolat)
  max.customerSays(bot.token, bolat, 'Hello')
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => max.sentTo(chatId).length, { timeout: 30_000 }).toBe(1)

  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expect(words('messenger.secretsTitle')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the connection')
  await press('messenger.check')
  await expect(words('messenger.checked')).toBeVisible({ timeout: 30_000 })
  await field('messengers.max.chat').fill('Bolat')
  await press('messenger.testSend')
  await expect(words('messengers.max.chatWrong')).toBeVisible()
  await field('messengers.max.chat').fill(`user:${bolat.userId}`)
  await press('messenger.testSend')
  await expect(words('messenger.testSent')).toBeVisible({ timeout: 30_000 })
  expect(max.sentTo(chatId).at(-1)?.text).toBe(say('channels', 'messenger.testSample'))

  const token = max.revoke(bot.token)
  await field('messengers.max.fields.token.label').fill(token)
  await press('messenger.replace')
  await expect(words('messenger.replaced')).toBeVisible({ timeout: 30_000 })
  max.customerSays(token, bolat, 'Are you there?')
  await expect.poll(() => max.sentTo(chatId).length, { timeout: 30_000 }).toBe(3)

  await press('connection.disconnect')
  await press('connection.disconnectConfirm')
  await expect(words('messenger.emptyTitle')).toBeVisible({ timeout: 30_000 })
}
