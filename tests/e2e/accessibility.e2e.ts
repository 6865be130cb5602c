// Every screen of one furnished installation against WCAG 2.2 AA: both themes, both languages, wide and narrow.
import type { Page } from '@playwright/test'
import { call, idOf, type Session, signUp, uploadDocument } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, type Language, test } from './fixtures.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const GUEST_ROUTES = ['/signin', '/signup']
const NARROW = { width: 375, height: 800 }
const NARROWEST = { width: 320, height: 800 }
const WIDE = { width: 1280, height: 800 }

let installation: Installation
let memberRoutes: string[]

test.beforeAll(async () => {
  installation = await startInstallation()
  memberRoutes = await furnish(installation)
})
test.afterAll(async () => {
  await installation.close()
})

for (const language of ['ru', 'en'] as const) {
  for (const theme of ['light', 'dark'] as const) {
    test(`every screen is accessible, fits and stays quiet: ${language}, ${theme}`, async ({ browser }) => {
      const context = await browser.newContext({ baseURL: installation.url, viewport: WIDE, reducedMotion: 'reduce' })
      await context.addInitScript(storeChoices, { language, theme })
      const page = await context.newPage()
      const complaints = collectComplaints(page)
      await visit(page, GUEST_ROUTES, language)
      await signIn(page)
      await visit(page, memberRoutes, language)
      expect(complaints).toEqual([])
      await context.close()
    })
  }
}

function storeChoices({ language, theme }: { language: string; theme: string }): void {
  localStorage.setItem('parley-language', language)
  localStorage.setItem('parley-theme', theme)
}

async function visit(page: Page, routes: string[], language: Language): Promise<void> {
  for (const route of routes) {
    await page.setViewportSize(WIDE)
    await page.goto(route)
    await expect(page.locator('h1').first()).toBeVisible()
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await page.waitForLoadState('networkidle')
    await expectAccessible(page, `${route} at ${WIDE.width}`)
    await page.setViewportSize(NARROW)
    await expectAccessible(page, `${route} at ${NARROW.width}`)
    await expectNoOverflow(page, route)
    await page.setViewportSize(NARROWEST)
    await expectNoOverflow(page, route)
  }
}

async function expectNoOverflow(page: Page, route: string): Promise<void> {
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(excess, `${route} is too wide for ${page.viewportSize()?.width}`).toBeLessThanOrEqual(0)
}

/** What the browser reports as an error, refused content (CSP) among it. */
function collectComplaints(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`)
  })
  return complaints
}

async function signIn(page: Page): Promise<void> {
  await page.setViewportSize(WIDE)
  await page.goto('/signin')
  await page.locator('input[type=email]').fill(PERSON.email)
  await page.locator('input[type=password]').fill(PERSON.password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/agents$/)
}

/** An agent with knowledge and a bot to which a customer has written; answers with every address of a member. */
async function furnish({ url, telegram }: Installation): Promise<string[]> {
  const session = await signUp(url, PERSON, 'Anna & Co')
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
  const space = { name: 'Delivery', description: 'What customers ask' }
  const knowledgeSpaceId = idOf(await call(session, 'mutation', 'knowledge/spaces:create', space))
  await uploadDocument(session, knowledgeSpaceId, 'terms.txt', 'Goods may be returned within 14 days.')
  await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId, agentId })
  const bot = telegram.addBot()
  const provisioned = await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: bot.token })
  telegram.customerSays(bot.token, { chatId: 4711, firstName: 'Bolat' }, 'Within how many days may goods be returned?')
  await expect.poll(() => telegram.sent.length, { timeout: 30_000 }).toBeGreaterThan(0)
  return [
    '/agents',
    '/agents?create=true',
    `/agents/${await slugOf(session, 'agents:list', agentId)}/settings`,
    `/agents/${await slugOf(session, 'agents:list', agentId)}/test`,
    '/test',
    '/knowledge',
    `/knowledge/space/${knowledgeSpaceId}`,
    '/channels',
    '/channels/telegram',
    '/channels/telegram/setup',
    `/channels/telegram/${idOf(provisioned)}`,
    '/chats',
    '/settings/profile',
    '/settings/security',
    '/no-such-page',
  ]
}

async function slugOf(session: Session, list: string, id: string): Promise<string> {
  const entities = (await call(session, 'query', list, {})) as { _id: string; slug: string }[]
  const found = entities.find(({ _id }) => _id === id)
  if (!found) throw new Error(`${list} does not know ${id}`)
  return found.slug
}
