// A user creates a web chat and embeds it in a site of another origin under a strict policy; its visitor is answered once and helped by a
// person. A page that is not allowed can neither show the chat nor read it.
import type { Page } from '@playwright/test'
import { identityHash } from '#server/domain/channels/webchat/webchat.identity.ts'
import { channelName } from '#shared/channels/manifests.ts'
import { listenOnLoopback } from '#tests/loopback.ts'
import { call, signUp } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, type Language, test, wordsOf } from './fixtures.ts'
import { looksOf, openContext, screenOf, signInHere } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

let say: ReturnType<typeof wordsOf>
let language: Language
let installation: Installation
const sites: { close(): Promise<void> }[] = []

for (const look of looksOf('en 1280 dark')) {
  test.describe(look.name, () => {
    test.beforeAll(async () => {
      language = look.language
      say = wordsOf(language)
      installation = await startInstallation({ hasModel: true })
    })
    test.afterAll(async () => {
      for (const { close } of sites.splice(0)) await close()
      await installation.close()
    })

    test('a web chat answers on the site that it was created for, and nowhere else', async ({ browser }) => {
      const context = await openContext(browser, look, { baseURL: installation.url, locale: 'en' })
      const owner = await context.newPage()
      const snippet = await makeWidget(owner)
      const policy = `default-src 'none'; script-src ${installation.url}; frame-src ${installation.url}`
      const shop = await site(snippet, policy)
      const hostile = await site(snippet, '')
      sites.push(shop, hostile)
      await allow(owner, new URL(shop.url).host)

      const visitor = await (await browser.newContext(screenOf(look))).newPage()
      const refused: string[] = []
      visitor.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
      await visitor.goto(shop.url)
      const chat = visitor.frameLocator('iframe')
      await chat.getByRole('button', { name: 'Open the chat' }).click()
      await expect(chat.getByText('Hello! How can I help?')).toBeVisible()
      await expect(chat.getByRole('textbox')).toBeFocused()
      await visitor.keyboard.type('Do you deliver?')
      await visitor.keyboard.press('Enter')
      await expect(chat.locator('.bubble.agent:not(.typing)')).toHaveCount(2) // the greeting and one answer
      await expectAccessible(visitor, 'the open web chat')

      // A rejected file is reported and can be removed; a text is sent and shown with the file.
      const choose = chat.locator('input[type=file]')
      await choose.setInputFiles([file('empty.txt', ''), file('list.txt', 'Two chairs')])
      await expect(chat.getByText('The file is empty.')).toBeVisible()
      await expectAccessible(visitor, 'the web chat with files')
      await chat.getByRole('button', { name: 'Remove empty.txt' }).click()
      await expect(chat.getByRole('textbox')).toBeFocused()
      await chat.getByRole('button', { name: 'Send', exact: true }).click()
      await expect(chat.locator('.bubble.customer').getByRole('button', { name: 'list.txt' })).toBeVisible()
      await expect(chat.getByRole('list', { name: 'Files in the message' })).toHaveCount(0)
      await expect(chat.locator('.bubble.agent:not(.typing)')).toHaveCount(3)

      await chat.getByRole('button', { name: 'Talk to a person' }).click()
      await expect(chat.getByText('A person will reply.')).toBeVisible()
      await replyAsPerson(owner)
      await expect(chat.getByText('A person is here')).toBeVisible()

      await visitor.keyboard.press('Escape')
      await expect(chat.getByRole('button', { name: 'Open the chat' })).toBeFocused()
      await visitor.reload()
      await chat.getByRole('button', { name: 'Open the chat' }).click()
      await expect(chat.getByText('A person is here')).toBeVisible()
      await expect(chat.locator('.bubble.agent')).toHaveCount(3)
      expect(refused).toEqual([])

      // The person is done: the visitor is asked for a rating, once. A known customer is another visitor in the same browser.
      await endConversation(owner)
      await chat.getByRole('radio', { name: '5 out of 5' }).check({ force: true })
      await expectAccessible(visitor, 'the question for a rating')
      await chat.getByRole('button', { name: 'Rate' }).click()
      await expect(chat.getByRole('radio')).toHaveCount(0)
      await expect(owner.getByText(say('conversations', 'rating.score', { score: 5 }))).toBeVisible()
      const known = { userId: 'user-42', name: 'Anna' }
      const hash = identityHash(await createSecret(owner), known)
      await visitor.evaluate((identity) => window.parley?.('identify', identity), { ...known, hash })
      await expect(chat.getByText('A person is here')).toHaveCount(0)
      await expect(chat.getByText('Hello! How can I help?')).toBeVisible()

      await expectShutOut(await context.newPage(), hostile.url, snippet)
      await context.close()
    })
  })
}

/** Creates an agent's web chat in the interface. @returns the snippet that the site embeds */
async function makeWidget(page: Page): Promise<string> {
  const person = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
  const session = await signUp(installation.url, person, 'Anna & Co')
  await call(session, 'mutation', 'agents:create', { name: 'Helper' })
  await signInHere(page.context(), installation.url, person)
  await page.goto('/channels')
  await page.getByRole('link', { name: channelName('webchat', language) }).click()
  await page.getByRole('button', { name: say('channels', 'setup.next') }).click()
  await page.getByLabel(say('channels', 'webchat.name')).fill('Anna’s shop')
  await expectAccessible(page, 'web chat setup')
  await page.getByRole('button', { name: say('channels', 'webchat.create'), exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Anna’s shop' })).toBeVisible()
  const snippet = await page.locator('code').first().textContent()
  return snippet ?? ''
}

async function allow(page: Page, host: string): Promise<void> {
  await page.getByLabel(say('channels', 'webchat.domains')).fill(`https://${host}/`)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: say('channels', 'webchat.save'), exact: true }).click()
  await expect(page.getByText(say('channels', 'webchat.saved'))).toBeVisible()
  await expectAccessible(page, 'web chat connection')
}

async function replyAsPerson(page: Page): Promise<void> {
  await page.goto('/chats')
  await page
    .getByRole('link', { name: /Visitor/ })
    .first()
    .click()
  const box = page.getByRole('textbox', { name: say('conversations', 'reply.label') })
  await box.fill('A person is here')
  await page.getByRole('button', { name: say('conversations', 'reply.send'), exact: true }).click()
  await expect(box).toHaveValue('')
  await expect(page.getByText('A person is here', { exact: true })).toBeVisible() // sent, not left in the box
}

async function endConversation(page: Page): Promise<void> {
  await page.getByRole('button', { name: say('conversations', 'page.actions'), exact: true }).click()
  await page.getByRole('menuitem', { name: say('conversations', 'end.action') }).click()
  await page.getByRole('button', { name: say('conversations', 'end.confirm') }).click()
}

/** From the page of the web chat. */
async function createSecret(page: Page): Promise<string> {
  await page.goto('/channels/webchat')
  await page.getByRole('link', { name: /Anna’s shop/ }).click()
  const create = page.getByRole('button', { name: say('channels', 'webchatIdentity.create'), exact: true })
  await create.click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: say('channels', 'webchatIdentity.create') })
    .click()
  const secret = page.locator('code').filter({ hasText: /^[A-Za-z0-9_-]{43}$/ })
  await expect(secret).toBeVisible()
  return (await secret.textContent()) ?? ''
}

/** A page of another site embeds the same code, and calls the server itself. */
async function expectShutOut(page: Page, url: string, snippet: string): Promise<void> {
  const refusals: string[] = []
  page.on('console', (message) => refusals.push(message.text()))
  await page.goto(url)
  await expect.poll(() => refusals.join()).toMatch(/frame-ancestors/)
  await expect(page.frameLocator('iframe').getByRole('button')).toHaveCount(0)
  const key = /data-key="([^"]+)"/.exec(snippet)?.[1]
  const read = await page.evaluate(
    async ([server, widgetKey]) => {
      const asked = (init: RequestInit) =>
        fetch(`${server}/api/webchat/${widgetKey}/session`, { method: 'POST', body: '{}', ...init }).then(
          (answer) => answer.text(),
          () => 'refused',
        )
      return [
        await asked({}),
        await asked({ credentials: 'include' }),
        await asked({ headers: { 'content-type': 'application/json' } }),
      ]
    },
    [installation.url, key],
  )
  expect(read).toEqual(['refused', 'refused', 'refused'])
}

function file(name: string, content: string) {
  return { name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) }
}

/** A page of another origin that embeds this. */
async function site(snippet: string, policy: string) {
  const headers = { 'content-type': 'text/html', ...(policy && { 'content-security-policy': policy }) }
  const html = `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>${snippet}</html>`
  return listenOnLoopback(() => new Response(html, { headers }))
}
