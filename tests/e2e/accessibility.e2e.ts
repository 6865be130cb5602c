// Every screen of one furnished installation, and what opens over it, against WCAG 2.2 AA: both themes, palettes and languages, wide
// and narrow. The states of the inbox and of a conversation are in inbox-states.e2e.ts.
import type { Browser, Page } from '@playwright/test'
import { call, idOf, type Session, signUp, uploadDocument } from '#tests/seeds/installation.ts'
import { expect, type Language, test, wordsOf } from './fixtures.ts'
import { judgeLooks, NARROW, signInHere, WIDE } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
const GUEST_ROUTES = ['/signin', '/signup', '/forgot', '/reset', '/verify-email']
const NARROWEST = { width: 320, height: 800 }
const DIALOG = '[role=dialog], [role=alertdialog]'
/** What comes over the network changes the page within less, or shows that it is busy. */
const STILL_MS = 150
const SPACE = 'Delivery'
const DOCUMENT = 'terms.txt'
const CUSTOMER = 'Bolat'

/** Slug of the agent, ids of the rest, and every address of a member. */
type Furnished = { agent: string; space: string; connection: string; routes: string[] }

/** Some forty screens, with EVERY_LOOK=1 each judged four times: a busy machine takes three times as long as an idle one. */
test.describe.configure({ timeout: 480_000 })

let installation: Installation
let furnished: Furnished

test.beforeAll(async () => {
  installation = await startInstallation()
  furnished = await furnish(installation)
})
test.afterAll(async () => {
  await installation.close()
})

// Words and colours do not depend on each other, so that each palette is judged in one language.
const PALETTES = { ru: 'doc-basic', en: 'default' } as const

for (const language of ['ru', 'en'] as const) {
  test(`every screen is accessible, fits and stays quiet: ${language}`, async ({ browser }) => {
    const page = await openPage(browser, language)
    const complaints = collectComplaints(page)
    await visit(page, GUEST_ROUTES, language)
    await signInHere(page.context(), installation.url, PERSON)
    await visit(page, furnished.routes, language)
    expect(complaints).toEqual([])
    await page.context().close()
    expect(test.info().errors).toEqual([])
  })

  test(`what opens over a screen is accessible: ${language}`, async ({ browser }) => {
    const page = await openPage(browser, language)
    await signInHere(page.context(), installation.url, PERSON)
    const round = new Round(page, language, furnished)
    await round.frame()
    await round.agents()
    await round.knowledge()
    await round.channels()
    await page.context().close()
    expect(test.info().errors).toEqual([])
  })
}

/** Opens menus, lists and dialogs one after the other and judges each; the screens under them are judged above. */
class Round {
  private readonly page: Page
  private readonly language: Language
  private readonly say: ReturnType<typeof wordsOf>
  private readonly furnished: Furnished
  constructor(page: Page, language: Language, furnished: Furnished) {
    this.page = page
    this.language = language
    this.say = wordsOf(language)
    this.furnished = furnished
  }

  async frame() {
    await this.go('/agents')
    await this.press(new RegExp(`^${this.say('common', 'header.userMenu')}`))
    await this.judgePopup('menu', 'user menu')
    await this.page.keyboard.press('Control+k')
    await this.judgeDialog('command palette')
    await this.page.keyboard.press('Control+/')
    await this.judgeDialog('shortcuts')
    await this.page.setViewportSize(NARROW)
    await this.press(this.say('common', 'nav.openMenu'))
    await this.judgeDialog('mobile menu', [NARROW])
    await this.page.setViewportSize(WIDE)
    await this.go('/settings/profile')
    await this.page.getByRole('combobox').last().click()
    await this.judgePopup('listbox', 'palettes')
  }

  async agents() {
    await this.go('/agents?create=true')
    await this.page.getByRole('combobox').click()
    await this.judgePopup('listbox', 'models')
    await this.judgeDialog('new agent')
    await this.go(`/agents/${this.furnished.agent}/test`)
    await this.press(this.say('test-chat', 'page.clear'))
    await this.judgeDialog('clear test chat')
  }

  async knowledge() {
    const space = `/knowledge/space/${this.furnished.space}`
    await this.go('/knowledge')
    await this.press(this.say('knowledge', 'list.create'))
    await this.judgeDialog('new space')
    await this.press(this.say('knowledge', 'list.actions', { name: SPACE }))
    await this.judgePopup('menu', 'actions of a space')
    await this.go(space)
    await this.press(this.say('knowledge', 'documents.open', { name: DOCUMENT }))
    await this.judgeDialog('passages')
    await this.press(this.say('knowledge', 'space.remove'))
    await this.judgeDialog('remove space')
    await this.go(`${space}?part=notes`)
    await this.judge('notes')
    await this.press(this.say('knowledge', 'notes.create'))
    await this.judgeDialog('new note')
    await this.go(`${space}?part=agents`)
    await this.judge('agents of a space')
    await this.go(`${space}?part=review`)
    await this.judge('review of a space')
    await this.go(`${space}?part=search&q=goods`)
    await expect(this.page.getByText(DOCUMENT)).toBeVisible()
    await this.judge('found passages')
  }

  async channels() {
    await this.go(`/channels/telegram/${this.furnished.connection}`)
    await this.press(this.say('channels', 'connection.disconnect'))
    await this.judgeDialog('disconnect')
  }

  private async go(route: string) {
    await this.page.goto(route)
    await untilStill(this.page)
  }

  private async press(name: string | RegExp) {
    await this.page
      .getByRole('button', { name, ...(typeof name === 'string' && { exact: true }) })
      .first()
      .click()
  }

  private async judge(name: string) {
    await judgeLooks(this.page, name, { language: this.language })
  }

  private async judgeDialog(name: string, widths = [WIDE, NARROW]) {
    const dialog = this.page.locator(DIALOG)
    await expect(dialog).toBeVisible()
    // Nothing else opens over it as the window becomes narrower.
    const during = () => expect(dialog).toHaveCount(1)
    await judgeLooks(this.page, name, { language: this.language, within: DIALOG, widths, during })
    await this.page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  /**
   * Only the list or menu is judged. What is below it the component library hides from assistive technology, and keeps the
   * focus out of by hand: axe allows that under dialogs, but elsewhere it expects that Tab leads there (`aria-hidden-focus`).
   * So Tab is pressed instead.
   */
  private async judgePopup(role: 'menu' | 'listbox', name: string) {
    const popup = this.page.getByRole(role)
    await expect(popup).toBeVisible()
    // A list closes when the window changes.
    await judgeLooks(this.page, name, { language: this.language, within: `[role=${role}]`, widths: [WIDE] })
    await this.page.keyboard.press('Tab')
    expect(await popup.evaluate((element) => element.contains(document.activeElement)), name).toBe(true)
    await this.page.keyboard.press('Escape')
    await expect(popup).toBeHidden()
  }
}

async function openPage(browser: Browser, language: Language): Promise<Page> {
  const context = await browser.newContext({ baseURL: installation.url, viewport: WIDE, reducedMotion: 'reduce' })
  await context.addInitScript(storeChoices, { language, palette: PALETTES[language] })
  return context.newPage()
}

function storeChoices({ language, palette }: { language: string; palette: string }): void {
  localStorage.setItem('parley-language', language)
  localStorage.setItem('parley-theme', 'light')
  localStorage.setItem('parley-theme-palette', palette)
}

async function visit(page: Page, routes: string[], language: Language): Promise<void> {
  for (const route of routes) {
    await page.setViewportSize(WIDE)
    await page.goto(route)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await untilStill(page)
    await judgeLooks(page, route, { language })
    await page.setViewportSize(NARROWEST)
    await expectNoOverflow(page, route)
  }
}

/** Once the page has taken notice of its new width. */
async function expectNoOverflow(page: Page, route: string): Promise<void> {
  const excess = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  const message = `${route} is too wide for ${page.viewportSize()?.width}`
  await expect.poll(excess, { message, timeout: 10_000 }).toBeLessThanOrEqual(0)
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

/** Everything has come and stands: nothing on the page has changed for a while, and nothing says that it is busy. */
async function untilStill(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeVisible()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await page.evaluate(waitForStillness, STILL_MS)
}

/** Runs in the page. */
function waitForStillness(stillMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      observer.disconnect()
      resolve()
    }
    let timer = setTimeout(end, stillMs)
    const observer = new MutationObserver(() => {
      clearTimeout(timer)
      timer = setTimeout(end, stillMs)
    })
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  })
}

/** An agent with knowledge, a bot to which a customer has written, and a number whose phone is not linked. */
async function furnish({ url, telegram, greenApi, whatsappCloud, max }: Installation): Promise<Furnished> {
  const session = await signUp(url, PERSON, 'Anna & Co')
  const agentId = idOf(await call(session, 'mutation', 'agents:create', { name: 'Helper' }))
  const description = { name: SPACE, description: 'What customers ask' }
  const space = idOf(await call(session, 'mutation', 'knowledge/spaces:create', description))
  await uploadDocument(session, space, DOCUMENT, 'Goods may be returned within 14 days.')
  const note = { knowledgeSpaceId: space, name: 'Is there parking?', content: 'Yes, in the yard.' }
  await call(session, 'mutation', 'knowledge/fragments:create', note)
  await call(session, 'mutation', 'knowledge/spaces:linkAgent', { knowledgeSpaceId: space, agentId })
  const bot = telegram.addBot()
  const connection = idOf(
    await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: bot.token }),
  )
  telegram.customerSays(bot.token, { chatId: 4711, firstName: CUSTOMER }, 'Within how many days may goods be returned?')
  await expect.poll(() => telegram.sent.length, { timeout: 30_000 }).toBeGreaterThan(0)
  const { idInstance, apiToken } = greenApi.addInstance({ state: 'notAuthorized' })
  const instance = { agentId, idInstance, apiToken }
  const number = idOf(await call(session, 'action', 'channels/whatsapp:provision', instance))
  const { phoneNumberId, accountId, accessToken, appSecret } = whatsappCloud.addNumber()
  const entered = { agentId, phoneNumberId, accountId, accessToken, appSecret }
  const cloud = idOf(await call(session, 'action', 'channels/whatsappCloud:provision', entered))
  const entry = { agentId, channel: 'max', entered: { token: max.addBot().token } }
  const messenger = idOf(await call(session, 'action', 'channels/messengers:provision', entry))
  const asked = { filter: {}, format: 'csv', language: 'en', timeZone: 'UTC' }
  await call(session, 'mutation', 'conversations/exports:create', asked)
  await call(session, 'mutation', 'testChat:send', { agentId, text: 'Is there parking?', variant: 'b' })
  const { ticket } = (await call(session, 'mutation', 'testChat:share', { agentId })) as { ticket: string }
  const agent = await slugOf(session, 'agents:list', agentId)
  const routes = [
    '/agents',
    '/agents?create=true',
    `/agents/${agent}/settings`,
    `/agents/${agent}/test`,
    '/test',
    `/shared-chat#${encodeURIComponent(ticket)}`,
    '/knowledge',
    `/knowledge/space/${space}`,
    '/knowledge/documents',
    '/knowledge/base',
    '/channels',
    '/channels/telegram',
    '/channels/telegram/setup',
    `/channels/telegram/${connection}`,
    '/channels/whatsapp',
    '/channels/whatsapp/setup?step=instance',
    `/channels/whatsapp/setup?connection=${number}`,
    `/channels/whatsapp/${number}`,
    '/channels/whatsapp/production-test?tab=validation',
    '/channels/whatsapp-cloud',
    '/channels/whatsapp-cloud/setup?step=number',
    `/channels/whatsapp-cloud/setup?connection=${cloud}`,
    `/channels/whatsapp-cloud/${cloud}`,
    '/channels/max',
    '/channels/max/setup?step=entry',
    `/channels/max/setup?connection=${messenger}`,
    `/channels/max/${messenger}`,
    '/chats',
    '/chats/approvals',
    '/analytics',
    '/settings/profile',
    '/settings/notifications',
    '/settings/organization',
    '/settings/plan',
    '/settings/plan?period=90d&view=table',
    '/settings/team',
    '/settings/replies',
    '/settings/tools',
    '/settings/tools/new',
    '/settings/mcp-servers/new',
    '/settings/data',
    '/settings/security',
    '/settings/webhooks',
    '/settings/audit',
    '/settings/branding',
    '/admin/health',
    '/admin/overview',
    '/admin/models',
    '/admin/invitations',
    '/admin/plans',
    '/admin/flags',
    '/admin/organizations',
    '/admin/members',
    '/admin/template',
    '/admin/branding',
    '/admin/audit',
    '/no-such-page',
  ]
  return { agent, space, connection, routes }
}

async function slugOf(session: Session, list: string, id: string): Promise<string> {
  const entities = (await call(session, 'query', list, {})) as { _id: string; slug: string }[]
  const found = entities.find(({ _id }) => _id === id)
  if (!found) throw new Error(`${list} does not know ${id}`)
  return found.slug
}
