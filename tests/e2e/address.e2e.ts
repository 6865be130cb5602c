// A one-time token that comes in the address of a page: it is nowhere to be seen afterwards, before and after signing in.
import { signUp } from '#tests/seeds/installation.ts'
import { expect, test } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const ANNA = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const SECRET = 'a-one-time-token'
let installation: Installation

test.beforeAll(async () => {
  installation = await startInstallation()
  await signUp(installation.url, ANNA, 'Anna & Co')
})
test.afterAll(() => installation.close())

for (const look of looksOf('ru 375 dark')) {
  test(`a one-time token stays neither in the address, nor in the history, nor in other requests: ${look.name}`, async ({
    browser,
  }) => {
    const context = await openContext(browser, look, { baseURL: installation.url, reducedMotion: 'no-preference' })
    const page = await context.newPage()
    const addresses: string[] = []
    const referrers: string[] = []
    page.on('request', (request) => void request.allHeaders().then(({ referer = '' }) => referrers.push(referer)))
    page.on('framenavigated', (frame) => addresses.push(frame.url()))
    await page.goto(`/chats?ott=${SECRET}&status=paused#part`)
    await expect(page).toHaveURL(/\/signin\?from=%2Fchats%3Fstatus%3Dpaused$/)
    await page.locator('input[type=email]').fill(ANNA.email)
    await page.locator('input[type=password]').fill(ANNA.password)
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(/\/chats\?status=paused$/)
    await page.goto('/settings/profile')
    for (const _ of ['sign-in', 'arrival']) await page.goBack()
    await expect(page).not.toHaveURL(/settings/)
    expect(addresses.slice(1).filter((address) => address.includes(SECRET))).toEqual([])
    expect(referrers.filter((referrer) => referrer.includes(SECRET))).toEqual([])
    await context.close()
  })
}
