// The demonstration as a stranger finds it: a hotel with its agents, its knowledge and months of conversations.
import { DEMO_PASSWORD } from '#tests/seeds/demo.ts'
import { DEMO_START_LIMIT_MS, type Demo, startDemo } from './demo.process.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { looksOf, openContext } from './looks.ts'

let demo: Demo | undefined
let baseURL: string

test.beforeAll(async () => {
  test.setTimeout(DEMO_START_LIMIT_MS)
  demo = await startDemo()
  baseURL = demo.url
})
test.afterAll(() => demo?.stop())

for (const look of looksOf('en 1280 light')) {
  test(`the demonstration is filled: conversations, agents, knowledge and channels: ${look.name}`, async ({
    browser,
  }) => {
    const person = { email: 'demo@parley.local', password: DEMO_PASSWORD }
    const context = await openContext(browser, look, { baseURL, person })
    const page = await context.newPage()
    await page.goto('/chats')
    const rows = page.locator('a[href*="/chats"], a[href*="/conversations/"]')
    await expect.poll(() => rows.count()).toBeGreaterThan(5)
    await expectAccessible(page, 'inbox of the demonstration')
    await page.goto('/agents')
    await expect.poll(() => page.locator('main a[href^="/agents/"]').count()).toBeGreaterThan(1)
    await page.goto('/knowledge')
    await expect(page.locator('main a[href^="/knowledge/space/"]').first()).toBeVisible()
    await page.goto('/channels/telegram')
    await expect(
      page
        .locator('main')
        .getByText(/pine_shore_help_bot/)
        .first(),
    ).toBeVisible()
    await context.close()
  })
}
