// A newcomer connects a program over HTTP: address, secrets, a test that cannot arrive, a message that is answered, a new secret.
import type { Page } from '@playwright/test'
import { channelName } from '#shared/channels/manifests.ts'
import { headersFor } from '#tests/fakes/http/http-channel.ts'
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
  test(`a program is connected and brings a message: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: 'correct horse 42' }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'agents:create', { name: 'Helper' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await connectProgram(await context.newPage(), look)
    await context.close()
  })
}

async function connectProgram(page: Page, { language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string, values?: Record<string, string>) => page.getByText(say('channels', key, values)).first()
  const press = (key: string) => page.getByRole('button', { name: say('channels', key), exact: true }).click()

  await page.goto('/channels')
  await page.getByRole('link', { name: channelName('http', language), exact: true }).click()
  await press('setup.next')
  await press('setup.connect')
  await expect(words('httpForm.urlFormat')).toBeVisible()
  await page.getByLabel(say('channels', 'httpForm.name')).fill('Shop app')
  await page.getByLabel(say('channels', 'httpForm.url')).fill('http://127.0.0.1:9/parley?key=private')
  await page.keyboard.press('Enter')
  await expect(words('httpSetup.doneTitle', { name: 'Shop app' })).toBeVisible()
  const [secret = '', , address = ''] = await page.locator('main code').allTextContents()
  expect(secret).toMatch(/^whsec_/)
  await expectAccessible(page, `secrets, ${language}`)

  await page.getByRole('link', { name: say('channels', 'httpSetup.openConnection') }).click()
  await expect(words('http.pendingTitle')).toBeVisible()
  expect(await page.locator('main').innerText()).not.toContain('private')
  await press('http.test')
  await expect(page.getByRole('cell', { name: 'permanent: the address is not public' })).toBeVisible()
  await expect(words('http.errorTitle')).toBeVisible()

  const body = JSON.stringify({ type: 'message', chatId: '1', sender: { name: 'Bolat' }, text: 'Hello' })
  expect((await fetch(address, { method: 'POST', headers: headersFor(secret, body), body })).status).toBe(202)
  await expect(page.getByRole('button', { name: say('channels', 'httpLog.resend') })).toBeVisible()
  await expectAccessible(page, `connection, ${language}`)
  await page.getByRole('link', { name: say('channels', 'httpLog.open'), exact: true }).click()
  await expect(page.getByRole('main').getByText('Hello').first()).toBeVisible()
  await page.goBack()

  await page.getByRole('button', { name: say('channels', 'httpSecrets.rotateLabel.inbound') }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: say('channels', 'httpSecrets.rotate') })
    .click()
  await expect(page.getByRole('dialog').getByText(/^whsec_/)).toBeVisible()
  await page.keyboard.press('Escape')
  await press('connection.disconnect')
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: say('channels', 'connection.disconnectConfirm') })
    .click()
  await expect(words('http.emptyTitle')).toBeVisible()
}
