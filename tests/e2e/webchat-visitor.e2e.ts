// The web chat as a visitor of a site sees it: in the language of the page, by keyboard alone, while the chat is closed, while a person
// is there, outside the hours, and in a browser that blocks storage in frames.
import type { BrowserContext, Page } from '@playwright/test'
import { call } from '#tests/seeds/installation.ts'
import { expect, expectAccessible, test } from './fixtures.ts'
import { looksOf, screenOf } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'
import {
  changeChat,
  type MadeChat,
  makeChat,
  newestConversation,
  openSite,
  pageWith,
  type Site,
  shownChat,
} from './webchat.site.ts'

const NO_HOURS = { isLimited: true, hours: [[], [], [], [], [], [], []], outside: 'silent', text: '' }

let installation: Installation
let chat: MadeChat
/** As strict a policy as a site with the chat can have. */
let shop: Site

test.beforeAll(async () => {
  installation = await startInstallation({ hasModel: true })
  chat = await makeChat(installation.url)
  shop = await openSite('127.0.0.1', {
    'content-security-policy': [
      "default-src 'none'",
      `script-src ${installation.url}`,
      `frame-src ${installation.url}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-embedder-policy': 'require-corp',
  })
  for (const language of ['ru-RU', 'en-GB']) shop.pages[`/${language}`] = pageWith(chat.snippet, language)
  await changeChat(chat, { domains: [shop.host] })
})
test.beforeEach(() => {
  installation.openai?.reply(() => ({ text: 'Да, каждый день.' }))
})
test.afterAll(async () => {
  await shop?.close()
  await installation.close()
})

for (const look of looksOf('ru 375 dark')) {
  test.describe(look.name, () => {
    test('a visitor without a mouse writes, closes the chat, and sees on its button that there is an answer', async ({
      browser,
    }) => {
      const page = await visit(
        await browser.newContext({ ...screenOf(look), reducedMotion: 'no-preference', locale: 'en' }),
        'ru-RU',
      )
      const visitor = shownChat(page)
      const { keyboard } = page
      await expect(visitor.getByRole('button', { name: 'Открыть чат', exact: true })).toBeVisible()
      await expect(page.locator('iframe')).toHaveAttribute('title', 'Чат')
      await expect(visitor.locator('html')).toHaveAttribute('lang', 'ru')
      await page.getByRole('link', { name: 'Goods' }).focus()
      await keyboard.press('Tab')
      await expect(visitor.getByRole('button', { name: 'Открыть чат', exact: true })).toBeFocused()
      await keyboard.press('Enter')
      await expect(visitor.getByRole('textbox', { name: 'Напишите сообщение' })).toBeFocused()
      await expect(visitor.getByText('Здравствуйте!')).toBeVisible()

      const answer = Promise.withResolvers<void>()
      installation.openai?.reply(async () => {
        await answer.promise
        return { text: 'Да, каждый день. И по воскресеньям тоже.', pieceDelayMs: 60 }
      })
      await keyboard.type('Вы доставляете?')
      await keyboard.press('Enter')
      await expect(visitor.getByText('Пишет ответ…')).toBeAttached()
      const dots = visitor.locator('.typing i').first()
      await expect(dots).toHaveCSS('animation-name', 'breathe')
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect(dots).toHaveCSS('animation-name', 'none')
      await expectAccessible(page, 'an answer on its way')

      // Tab leaves the frame and returns to it: the focus is not trapped.
      await keyboard.press('Shift+Tab')
      await expect(visitor.getByRole('button', { name: 'Прикрепить файл' })).toBeFocused()
      for (const name of ['Позвать человека', 'Диалог', 'Закрыть чат']) {
        await keyboard.press('Shift+Tab')
        await expect(visitor.getByLabel(name).or(visitor.getByRole('button', { name }))).toBeFocused()
      }
      await keyboard.press('Shift+Tab')
      await expect(page.getByRole('link', { name: 'Goods' })).toBeFocused()
      await keyboard.press('Tab')
      await keyboard.press('Enter')
      const badge = visitor.getByRole('button', { name: 'Открыть чат, непрочитанных сообщений: 1' })
      await expect(visitor.getByRole('button', { name: 'Открыть чат', exact: true })).toBeFocused()
      answer.resolve()
      await expect(badge).toBeFocused()
      await expect(visitor.locator('.unread')).toHaveText('1')
      await expectAccessible(page, 'the closed button with a number')

      // It is still unread on the next page; opening the chat marks it read.
      await page.reload()
      await expect(badge).toBeVisible()
      await badge.press('Enter')
      await expect(visitor.getByText('И по воскресеньям тоже.')).toBeVisible()
      await keyboard.press('Escape')
      await expect(visitor.getByRole('button', { name: 'Открыть чат', exact: true })).toBeFocused()
      await page.reload()
      await expect(visitor.getByRole('button', { name: 'Открыть чат', exact: true })).toBeVisible()
      await page.context().close()
    })

    test('a visitor reads an answer while it is generated, and sees when a person takes over and when they leave', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...screenOf(look), locale: 'ru' })
      await context.addInitScript(openAtOnce)
      const page = await visit(context, 'en-GB')
      const visitor = shownChat(page)
      const status = visitor.getByRole('status')
      const person = visitor.getByRole('button', { name: 'Talk to a person' })
      await expect(visitor.locator('html')).toHaveAttribute('lang', 'en')
      await expect(visitor.getByRole('textbox')).toBeVisible()
      const words = Array.from({ length: 60 }, (_, at) => `word${at}`).join(' ')
      installation.openai?.reply(() => ({ text: words, pieceDelayMs: 40 }))
      await write(page, 'Tell me everything')
      const draft = visitor.locator('.bubble.draft')
      await expect(draft).toContainText('word1')
      expect(await draft.textContent()).not.toContain('word59')
      await expect(visitor.locator('.bubble.agent:not(.draft)').last()).toContainText('word59')
      await expect(draft).toHaveCount(0)
      await expect(status).toBeEmpty()

      await person.click()
      await expect(status).toHaveText('A person will reply. Their message will appear here.')
      await expect(person).toHaveCount(0)
      await expect(visitor.getByRole('textbox')).toBeFocused()
      await expectAccessible(page, 'a person was called')
      const conversationId = await newestConversation(chat)
      await call(chat.session, 'mutation', 'conversations:typing', { conversationId })
      await expect(status).toHaveText('A team member is typing…')
      await call(chat.session, 'mutation', 'conversations:reply', { conversationId, text: 'I am Anna. What is it?' })
      await expect(status).toHaveText('You are talking to a team member.')
      await expect(visitor.locator('.bubble.operator')).toHaveText('Team member: I am Anna. What is it?')
      await expectAccessible(page, 'a person is here')
      await call(chat.session, 'mutation', 'conversations:resume', { conversationId })
      await expect(status).toBeEmpty()
      await expect(person).toBeVisible()
      await page.context().close()
    })

    test('a visitor is notified when no one answers, in their own language', async ({ browser }) => {
      const { agentId } = chat
      await call(chat.session, 'mutation', 'agents:update', { id: agentId, patch: { availability: NO_HOURS } })
      const texts = { ru: { greeting: '', offline: '' }, en: { greeting: '', offline: 'We are back on Monday.' } }
      await changeChat(chat, { domains: [shop.host], texts })
      const russian = await visit(await browser.newContext(screenOf(look)), 'ru-RU')
      await shownChat(russian).getByRole('button', { name: 'Открыть чат' }).click()
      await expect(shownChat(russian).getByText('Сейчас нас нет на месте')).toBeVisible()
      await expectAccessible(russian, 'outside the hours')
      const english = await visit(await browser.newContext(screenOf(look)), 'en-GB')
      await shownChat(english).getByRole('button', { name: 'Open the chat' }).click()
      await expect(shownChat(english).getByText('We are back on Monday.')).toBeVisible()
      const availability = { ...NO_HOURS, isLimited: false }
      await call(chat.session, 'mutation', 'agents:update', { id: agentId, patch: { availability } })
      await changeChat(chat, { domains: [shop.host] })
      for (const page of [russian, english]) await page.context().close()
    })

    test('a browser that blocks storage in frames keeps the chat for as long as the page is open', async ({
      browser,
    }) => {
      const context = await browser.newContext({ ...screenOf(look), locale: 'en' })
      await context.addInitScript(refuseStorage)
      const errors: string[] = []
      context.on('weberror', (error) => errors.push(error.error().message))
      context.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      const page = await visit(context, 'en-GB')
      const visitor = shownChat(page)
      const open = visitor.getByRole('button', { name: 'Open the chat', exact: true })
      await open.click()
      await write(page, 'Do you deliver?')
      await expect(visitor.getByText('Да, каждый день.')).toBeVisible()
      // An answer that is still being generated counts as unread when the chat is closed.
      await expect(visitor.locator('.bubble.agent:not(.typing, .draft)')).toHaveCount(2)
      await page.keyboard.press('Escape')
      await expect(open).toBeFocused()
      await open.press('Enter')
      await expect(visitor.getByText('Do you deliver?')).toBeVisible()
      await page.reload()
      await open.click()
      await expect(visitor.getByText('Hello!')).toBeVisible()
      await expect(visitor.locator('.bubble')).toHaveCount(1)
      await expect(visitor.getByRole('status')).toBeEmpty()
      expect(errors).toEqual([])
      expect(await context.cookies()).toEqual([])
      await context.close()
    })
  })
}

async function visit(context: BrowserContext, language: 'ru-RU' | 'en-GB'): Promise<Page> {
  const page = await context.newPage()
  await page.goto(`${shop.url}/${language}`)
  await expect(shownChat(page).getByRole('button').first()).toBeVisible()
  return page
}

async function write(page: Page, text: string): Promise<void> {
  await shownChat(page).getByRole('textbox').fill(text)
  await page.keyboard.press('Enter')
}

/** Opens the chat from the start, as a page can: before there is a frame that could receive it. */
function openAtOnce(): void {
  if (window !== window.parent) return
  Object.defineProperty(window, 'parley', {
    configurable: true,
    set(value: NonNullable<Window['parley']>) {
      Object.defineProperty(window, 'parley', { value })
      value('open')
    },
  })
}

/** Blocks storage in third-party frames, as browsers can be set to. */
function refuseStorage(): void {
  if (window === window.parent) return
  for (const name of ['localStorage', 'sessionStorage', 'indexedDB'] as const) {
    Object.defineProperty(window, name, {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    })
  }
}
