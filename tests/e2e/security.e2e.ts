// The security of an account: two-step sign-in with a recovery code, a passkey, a session that is ended from elsewhere.
import type { BrowserContext, Page } from '@playwright/test'
import { totpCode } from '#server/platform/auth/factors/totp.ts'
import { signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const BORIS = { name: 'Boris', email: 'boris@example.com', password: 'correct horse 43' }

for (const look of looksOf('ru 1280 light')) {
  test.describe(look.name, () => {
    const say = wordsOf(look.language)
    const word = (key: string) => say('security', key)
    let installation: Installation
    let baseURL: string

    test.beforeAll(async () => {
      installation = await startInstallation({})
      baseURL = installation.url.replace('127.0.0.1', 'localhost')
      await signUp(installation.url, ANNA, 'Anna & Co')
      await signUp(installation.url, BORIS, 'Boris & Co')
    })
    test.afterAll(() => installation.close())

    async function enterPassword(page: Page, person: typeof ANNA) {
      await page.goto('/signin')
      await page.locator('input[type=email]').fill(person.email)
      await page.locator('input[type=password]').fill(person.password)
      await page.keyboard.press('Enter')
    }

    /** Signs in with a recovery code in a browser that knows nothing of the person. */
    async function enterByRecoveryCode(context: BrowserContext, recoveryCode: string) {
      const page = await context.newPage()
      await enterPassword(page, ANNA)
      await expect(page.getByLabel(say('auth', 'secondStep.code'))).toBeVisible()
      await expectAccessible(page, 'second step')
      await page.getByRole('button', { name: say('auth', 'secondStep.useRecovery') }).click()
      await page.getByLabel(say('auth', 'secondStep.recoveryCode')).fill(recoveryCode)
      await page.getByRole('button', { name: say('auth', 'secondStep.submit') }).click()
      return page
    }

    test('a person sets up two steps and signs in with a recovery code, once', async ({ browser }) => {
      const context = await openContext(browser, look, { baseURL, person: ANNA })
      const page = await context.newPage()
      await page.goto('/settings/security')
      await page.getByRole('button', { name: word('twoStep.turnOn') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.locator('input[type=password]').fill(ANNA.password)
      await dialog.getByRole('button', { name: word('twoStep.begin') }).click()
      await expect(dialog.getByRole('img', { name: word('twoStep.qr') })).toBeVisible()
      await expectAccessible(page, 'key')
      const key = (await dialog.locator('code').innerText()).replaceAll(' ', '')
      await dialog.getByLabel(word('twoStep.code')).fill(totpCode(key, Date.now()))
      await dialog.getByRole('button', { name: word('twoStep.confirm') }).click()
      const codes = dialog.getByRole('listitem')
      await expect(codes).toHaveCount(10)
      await expectAccessible(page, 'recovery codes')
      const recoveryCode = await codes.first().innerText()
      await dialog.getByRole('button', { name: word('codes.done') }).click()
      await expect(page.getByText(word('twoStep.on'), { exact: true })).toBeVisible()
      await expectAccessible(page, 'security')
      await context.close()

      const other = await openContext(browser, look, { baseURL })
      await expect(await enterByRecoveryCode(other, recoveryCode)).toHaveURL(/\/agents$/)
      await other.close()
      const third = await openContext(browser, look, { baseURL })
      const refused = await enterByRecoveryCode(third, recoveryCode)
      await expect(refused.getByRole('alert')).toHaveText(say('errors', 'service.INVALID_CODE'))
      await third.close()
    })

    test('a person adds a passkey and signs in with it', async ({ browser }) => {
      const context = await openContext(browser, look, { baseURL, person: BORIS })
      const page = await context.newPage()
      const devtools = await context.newCDPSession(page)
      await devtools.send('WebAuthn.enable')
      const options = { protocol: 'ctap2', transport: 'internal', hasResidentKey: true } as const
      await devtools.send('WebAuthn.addVirtualAuthenticator', {
        options: { ...options, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
      })
      await page.goto('/settings/security')
      await page.getByRole('button', { name: word('passkeys.add') }).click()
      await page.getByLabel(word('passkeys.name')).fill('Laptop')
      await page
        .getByRole('dialog')
        .getByRole('button', { name: word('passkeys.add') })
        .click()
      await expect(page.getByRole('listitem').filter({ hasText: 'Laptop' })).toBeVisible()
      await expectAccessible(page, 'passkeys')
      await context.clearCookies()
      await page.goto('/signin')
      await page.getByRole('button', { name: say('auth', 'signIn.passkey') }).click()
      await expect(page).toHaveURL(/\/agents$/)
      await context.close()
    })

    test('a session that is ended elsewhere ends at once, with the reason', async ({ browser }) => {
      const here = await openContext(browser, look, { baseURL, person: BORIS })
      const there = await openContext(browser, look, { baseURL, person: BORIS })
      const [page, lost] = [await here.newPage(), await there.newPage()]
      await lost.goto('/agents')
      await expect(lost.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto('/settings/security')
      await page.getByRole('button', { name: say('settings', 'revokeOthers') }).click()
      await expect(lost.getByText(say('auth', 'ended.revoked'))).toBeVisible()
      await expectAccessible(lost, 'sign-in page with the reason')
      await here.close()
      await there.close()
    })
  })
}
