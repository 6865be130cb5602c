// A user opens the web to their agents: where to search, what a search finds, and a site whose pages become documents.
import type { Page } from '@playwright/test'
import { type FakeWebSearch, startFakeWebSearch, WEB_SEARCH_KEY } from '#tests/fakes/web-search.ts'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test, wordsOf } from './fixtures.ts'
import { type Look, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PASSWORD = 'correct horse 42'
const RATES = { url: 'https://post.example/rates', title: 'Postal rates', text: 'A parcel to Almaty costs 4500.' }
let installation: Installation
let search: FakeWebSearch

test.beforeAll(async () => {
  search = await startFakeWebSearch('brave', [RATES])
  installation = await startInstallation({
    env: { WEB_SEARCH_PROVIDER: 'brave', WEB_SEARCH_BASE_URL: search.url, WEB_SEARCH_API_KEY: WEB_SEARCH_KEY },
  })
})
test.afterAll(async () => {
  await installation.close()
  await search.close()
})

for (const look of looksOf('ru 375 light')) {
  test(`the web becomes a source: ${look.name}`, async ({ browser }) => {
    const person = { name: 'Anna', email: `${look.id}@example.com`, password: PASSWORD }
    const session = await signUp(installation.url, person, 'Anna & Co')
    await call(session, 'mutation', 'knowledge/spaces:create', { name: 'Delivery' })
    const context = await openContext(browser, look, { baseURL: installation.url, person })
    await openTheWeb(await context.newPage(), look)
    await context.close()
  })
}

async function openTheWeb(page: Page, { language }: Look): Promise<void> {
  const say = wordsOf(language)
  const words = (key: string) => say('web-search', key)
  const press = (key: string) => page.getByRole('button', { name: words(key), exact: true }).click()
  await page.goto('/knowledge?from=agents')
  await page.getByRole('link', { name: say('knowledge', 'parts.web-search.title'), exact: true }).click()
  await expect(page).toHaveURL(/\/knowledge\/web-search\?.*from=agents/)

  await expect(page.getByText(words('provider.brave'))).toBeVisible()
  await page.getByRole('switch', { name: words('settings.enabled') }).click()
  const domain = page.getByLabel(words('domains.label'), { exact: true })
  await domain.fill('https://www.post.example/')
  await press('domains.add')
  await expect(page.getByText('post.example', { exact: true })).toBeVisible()
  await domain.fill('POST.example')
  await press('domains.add')
  await expect(page.getByText(say('errors', 'domain_exists', { domain: 'post.example' }))).toBeVisible()

  await page.getByLabel(words('test.label')).fill('parcel rates')
  await press('test.run')
  await expect(page.getByRole('link', { name: RATES.title })).toHaveAttribute('href', RATES.url)
  expect(search.requests.at(-1)).toEqual({ query: 'parcel rates', domains: ['post.example'] })

  await press('sites.add')
  await expectAccessible(page, 'a new site')
  await page.getByLabel(words('siteDialog.url'), { exact: true }).fill('http://127.0.0.1/')
  await press('siteDialog.add')
  await expect(page.getByText(words('sites.reason.unreachable'))).toBeVisible({ timeout: 30_000 })
  await page.reload()
  await expect(page.getByRole('switch', { name: words('settings.enabled') })).toBeChecked()
  await expect(page.getByText(words('sites.status.error'))).toBeVisible()
  await expectAccessible(page, 'the web')
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(overflow).toBeLessThanOrEqual(0)
}
