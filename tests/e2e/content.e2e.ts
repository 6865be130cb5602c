// Whatever a model, a customer, a colleague or a document has written is drawn, under the policy of the real page, and none of it takes the
// page with it. What a server of tomorrow sends, which this page does not know, is left out or shown as its plain text.
import fs from 'node:fs'
import path from 'node:path'
import type { BrowserContext, Page } from '@playwright/test'
import { call } from '#tests/seeds/installation.ts'
import { ANNA, type Content, FILES, startContent } from './content.seed.ts'
import { TEXTS } from './content.texts.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { isWide, looksOf, openContext } from './looks.ts'

let say: ReturnType<typeof wordsOf>
const words = (key: string, values: Record<string, string | number> = {}) => say('conversations', key, values)
const MESSAGE = '[id^=message-]'

let content: Content
let context: BrowserContext
let page: Page
/** What the browser has refused or the page has thrown. */
let troubles: string[] = []

for (const look of looksOf('en 375 light')) {
  test.describe(look.name, () => {
    test.beforeAll(async ({ browser }) => {
      say = wordsOf(look.language)
      content = await startContent()
      context = await openContext(browser, look, { baseURL: content.installation.url, person: ANNA })
      page = await context.newPage()
      page.on('pageerror', (error) => troubles.push(`thrown: ${error.message}`))
      page.on('console', (message) => {
        if (/Trusted|Content Security Policy|boundary/i.test(message.text())) troubles.push(message.text())
      })
    })
    test.beforeEach(() => {
      troubles = []
    })
    test.afterAll(async () => {
      await context?.close()
      await content?.close()
    })

    test('what an agent has written is drawn as it is meant', async () => {
      await openConversation('agent')
      for (const [at, { name, text, shows = text }] of TEXTS.entries()) {
        await expect(page.locator(MESSAGE).nth(at), name).toContainText(shows)
      }
      await expectHarmless()
      await expect(page.getByRole('link', { name: /^AT&T/ })).toHaveAttribute('href', 'https://example.com/?a=1&b=2')
      await page.reload()
      await expect(page.locator(MESSAGE)).toHaveCount(content.counts.agent)
      await expectHarmless()
    })

    test('what a customer has written, and notes of the team about it, are drawn as they were typed', async () => {
      await openConversation('customer')
      const log = page.getByRole('region', { name: words('page.messages') })
      for (const { name, text } of TEXTS) {
        await expect
          .poll(() => log.evaluate((element, typed) => element.textContent.includes(typed), text), name)
          .toBe(true)
      }
      await expect(page.locator('[id^=note-]')).toHaveCount(TEXTS.length)
      await expectHarmless()
    })

    test('colleagues and the system are drawn', async () => {
      await openConversation('team', TEXTS.length)
      await expect(page.getByText('<b>2</b> &amp;').first()).toBeVisible()
      await expectHarmless()
    })

    test('texts without an end are shown plainly and hold nothing up', async () => {
      await openConversation('endless')
      await expectHarmless()
    })

    test('attachments of every kind in every state are drawn', async () => {
      await openConversation('attachments')
      await expect(page.locator(`${MESSAGE} li`)).toHaveCount(7 * (content.counts.attachments ?? 0))
      await expectHarmless()
    })

    test('the list, its search and the customer’s card are drawn', async () => {
      await page.goto('/chats')
      await expect(page.getByRole('list', { name: words('list.label') }).getByRole('listitem')).toHaveCount(5)
      await expectHarmless()
      await page.goto('/chats?q=sells')
      await expect(page.locator('mark').first()).toBeVisible()
      await expectHarmless()
      await openConversation('customer')
      // On a phone it is one of the actions.
      if (!isWide(look)) await page.getByRole('button', { name: words('page.actions'), exact: true }).click()
      await page.getByRole(isWide(look) ? 'button' : 'menuitem', { name: words('details.title') }).click()
      await expect(page.getByRole('dialog')).toBeVisible()
      await expectHarmless()
    })

    test('passages and records of every answer are drawn', async () => {
      await openConversation('agent')
      await page
        .locator(MESSAGE)
        .first()
        .getByRole('button', { name: words('sources.open', { name: '\n' }).split('\n')[0] ?? '' })
        .first()
        .click()
      await expect(page.getByRole('dialog').locator('li[data-index]').first()).toBeVisible()
      await expectHarmless()
      await page.keyboard.press('Escape')
      for (const at of [0, 15, TEXTS.length - 1]) {
        await page
          .locator(MESSAGE)
          .nth(at)
          .getByRole('button', { name: say('why', 'open') })
          .click()
        await expect(
          page.getByRole('dialog').getByRole('heading', { name: say('why', 'searches.title') }),
        ).toBeVisible()
        await page.keyboard.press('Escape')
        await expect(page.getByRole('dialog')).toHaveCount(0)
      }
      await expectHarmless()
    })

    test('documents, notes and tables of every format are drawn', async () => {
      await page.goto(`/knowledge/space/${content.spaceSlug}`)
      for (const file of FILES) {
        await page.getByRole('button', { name: say('knowledge', 'documents.open', { name: file }) }).click()
        await expect(page.getByRole('dialog').locator('li[data-index]').first()).toBeVisible()
        await expectHarmless()
        await page.keyboard.press('Escape')
      }
      await page.goto(`/knowledge/space/${content.spaceSlug}?part=notes`)
      await expect(page.getByText('<b>Bold</b>').first()).toBeVisible()
      await expectHarmless()
      await page.goto(`/knowledge/rag-tester?spaceSlug=${content.spaceSlug}&q=sells`)
      await expect(page.getByText(/AT&amp;T/).first()).toBeVisible()
      await expectHarmless()
    })

    test('the test chat draws what the model writes while it writes, and after a reload', async () => {
      const { installation, agentId, session } = content
      installation.openai?.reply(() => ({ text: TEXTS.map(({ text }) => text.slice(0, 500)).join('\n\n') }))
      await page.goto('/agents/helper/test')
      await call(session, 'mutation', 'testChat:send', { agentId, text: 'AT&amp;T?' })
      const answer = page.locator(MESSAGE).last()
      await expect(answer).toContainText('AT&T\u00a0sells')
      await page.reload()
      await expect(answer).toContainText('AT&T\u00a0sells')
      await expectHarmless()
    })

    test('the web chat draws all of it', async () => {
      const { installation, agentId, session } = content
      const own = { greeting: TEXTS[0]?.text.slice(0, 200) ?? '', offline: '' }
      const texts = { ru: own, en: own }
      const widget = {
        title: 'Shop',
        color: '#2f5d50',
        position: 'right',
        hasAvatar: false,
        takesFiles: true,
        texts,
        domains: [],
      }
      const made = await call(session, 'action', 'channels/webchat:provision', { agentId, widget })
      installation.openai?.reply((request) => ({ text: `${request.messages.at(-1)?.content}` }))
      await page.goto(`/talk/${(made as { externalAccountId: string }).externalAccountId}`)
      const written = [
        TEXTS.map(({ text }) => text.slice(0, 90))
          .join('\n')
          .slice(0, 4000),
        '['.repeat(4000),
        '`'.repeat(4000),
      ]
      for (const [at, text] of written.entries()) {
        await page.getByRole('textbox').fill(text)
        await page.keyboard.press('Enter')
        await expect(page.locator('.bubble.customer')).toHaveCount(at + 1)
        await expect(page.locator('.bubble.agent:not(.typing, .draft)')).toHaveCount(at + 2)
      }
      await expectHarmless()
    })

    test('what only a server of tomorrow knows takes no screen', async () => {
      await page.routeWebSocket(/\/api\//, (client) => {
        const server = client.connectToServer()
        client.onMessage((message) => server.send(message))
        server.onMessage((message) => client.send(ofTomorrow(`${message}`)))
      })
      for (const name of ['agent', 'customer', 'attachments'] as const) {
        await openConversation(name)
        await expectHarmless()
      }
      await openConversation('team', TEXTS.length)
      await expectHarmless()
      await openConversation('agent')
      await page
        .locator(MESSAGE)
        .first()
        .getByRole('button', { name: say('why', 'open') })
        .click()
      await expect(page.getByRole('dialog').getByRole('heading', { name: say('why', 'searches.title') })).toBeVisible()
      await expectHarmless()
      for (const address of ['/chats', '/channels', '/agents', '/knowledge', `/knowledge/space/${content.spaceSlug}`]) {
        await page.goto(address)
        await expect(page.getByRole('main').getByRole('listitem').first()).toBeVisible()
        await expectHarmless()
      }
    })
  })
}

test('no library writes what the policy of the page refuses', () => {
  // React writes markup only for `dangerouslySetInnerHTML` and for script elements, and we have neither. Charts reckon lengths of CSS with
  // a calculator whose method is called `eval`.
  const allowed = [
    /\.innerHTML=`<script><\\\/script>`/,
    /__html[^;]{0,20}\(\w+\.innerHTML=\w+\)/,
    /\w\.eval\(\w+\)\}catch/,
  ]
  const sinks =
    /.{0,40}(?:\.(?:inner|outer)HTML=|insertAdjacentHTML|DOMParser|document\.write|createContextualFragment|new Function\(|\beval\(|new (?:Shared)?Worker\(|\.srcdoc=|setAttribute\([`"']style).{0,40}/g
  const root = path.resolve(import.meta.dirname, '../../dist')
  const found = fs
    .readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.js'))
    .flatMap(
      (file) =>
        fs
          .readFileSync(path.join(root, file), 'utf8')
          .match(sinks)
          ?.map((at) => `${file}: ${at}`) ?? [],
    )
  expect(found.filter((each) => !allowed.some((pattern) => pattern.test(each)))).toEqual([])
  expect(found.length).toBeGreaterThan(0)
})

/** @param count messages that it has, lines of the system left out */
async function openConversation(name: keyof Content['conversations'], count = content.counts[name]): Promise<void> {
  await page.goto(`/conversations/${content.conversations[name]}`)
  await expect(page.locator(MESSAGE)).toHaveCount(count ?? 0)
}

/** By these the page asks for more, or they are those of the protocol. */
const KEPT = new Set(['agent', 'customer', 'system', 'ready', 'active', 'paused', 'complete', 'success'])
const NAMED =
  /"(kind|channel|author|reason|pauseReason|calledFor|status|format|verdict|gate|outcome|failure|stage|sourceKind)":"(\w+)"/g

/** What the server sends, with kinds and states that there are not yet, and characters that no text should hold. */
function ofTomorrow(message: string): string {
  return message
    .replaceAll(NAMED, (whole, key, value) => (KEPT.has(value) ? whole : `"${key}":"${value}_of_tomorrow"`))
    .replaceAll('AT&amp;T', 'AT\\u0000&amp;\\ud800T')
}

/** Nothing was refused, thrown, executed or loaded, and no screen of an error stands on the page. */
async function expectHarmless(): Promise<void> {
  expect(troubles).toEqual([])
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect(page.getByText(say('common', 'boundary.general.title'))).toHaveCount(0)
  const foreign =
    'iframe, object, embed, #root script, #root style, img[src^="http"]:not([src^="http://localhost"]), a[href^="javascript"]'
  await expect(page.locator(foreign)).toHaveCount(0)
}
