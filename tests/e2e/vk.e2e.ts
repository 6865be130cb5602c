// A newcomer connects a VK community: a key that may too little, one that may enough, the first message and its answer; then the key is
// replaced and the community taken away.
import type { Page } from '@playwright/test'
import { channelName } from '#shared/channels/manifests.ts'
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

for (const look of looksOf('en 1280 light')) {
  test(`a community is connected, answers and is taken away: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectCommunity(await context.newPage(), look)
    await context.close()
  })
}

async function connectCommunity(page: Page, { id, number, language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()
  const key = () => page.getByLabel(say('channels', 'messengers.vk.fields.token.label'))
  const { vk } = installation
  const community = vk.addCommunity({ screenName: `coffee_${id}`, mask: 4096 })
  const bolat = { id: 500 + number, name: 'Bolat Omarov' }

  await page.goto('/channels')
  await page.getByRole('link', { name: channelName('vk', language), exact: true }).click()
  await press('setup.next')
  await expect(words('messengers.vk.guideLink')).toBeVisible()
  await expectAccessible(page, 'the entry')
  await key().fill('short')
  await press('setup.connect')
  await expect(words('messengers.vk.fields.token.wrong')).toBeVisible()
  await key().fill(community.token)
  await press('setup.connect')
  await expect(page.getByText('manage (управление сообществом)')).toBeVisible({ timeout: 30_000 })
  vk.allow(community.groupId)
  await press('setup.connect')

  await expect(words('messenger.doneTitle', { name: community.screenName })).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the first message')
  vk.customerSays(community.groupId, bolat, 'Hello')
  await expect(words('setup.received')).toBeVisible({ timeout: 30_000 })
  await expect.poll(() => vk.sentTo(bolat.id).length, { timeout: 30_000 }).toBe(1)

  await page.getByRole('link', { name: say('channels', 'setup.openConnection') }).click()
  await expect(words('messenger.secretsTitle')).toBeVisible({ timeout: 30_000 })
  await expectAccessible(page, 'the connection')
  await press('messenger.check')
  await expect(words('messenger.checked')).toBeVisible({ timeout: 30_000 })
  await page.getByLabel(say('channels', 'messengers.vk.chat')).fill(String(bolat.id))
  await press('messenger.testSend')
  await expect(words('messenger.testSent')).toBeVisible({ timeout: 30_000 })
  expect(vk.sentTo(bolat.id).at(-1)?.text).toBe(say('channels', 'messenger.testSample'))

  await key().fill(vk.renewKey(community.groupId))
  await press('messenger.replace')
  await expect(words('messenger.replaced')).toBeVisible({ timeout: 30_000 })
  vk.customerSays(community.groupId, bolat, 'Are you there?')
  await expect.poll(() => vk.sentTo(bolat.id).length, { timeout: 30_000 }).toBe(3)

  await press('connection.disconnect')
  await press('connection.disconnectConfirm')
  await expect(words('messenger.emptyTitle')).toBeVisible({ timeout: 30_000 })
}
