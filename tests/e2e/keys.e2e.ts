// The keys of the inbox and of a conversation, on a Latin and on a Russian layout: each does what the list of shortcuts says, and the list
// names no other.
import type { Locator, Page } from '@playwright/test'
import { call, idOf, signUp } from '#tests/seeds/installation.ts'
import { expect, test, wordsOf } from './fixtures.ts'
import { isWide, looksOf, openContext } from './looks.ts'
import { type Installation, startInstallation } from './server.ts'

const PERSON = { name: 'Anna', email: 'anna@example.com', password: 'correct horse 42' }
/** Oldest first: the list shows them in reverse. */
const CUSTOMERS = ['Cem', 'Bolat', 'Aida']
let say: ReturnType<typeof wordsOf>
const word = (key: string, values: Record<string, string | number> = {}) => say('conversations', key, values)

type Layout = 'Latin' | 'Russian'
type Modifiers = { ctrl?: boolean; alt?: boolean; shift?: boolean }
/** Characters of the keys on a Russian layout. */
const RUSSIAN: Record<string, string> = {
  KeyA: 'ф',
  KeyB: 'и',
  KeyC: 'с',
  KeyD: 'в',
  KeyE: 'у',
  KeyF: 'а',
  KeyG: 'п',
  KeyH: 'р',
  KeyJ: 'о',
  KeyK: 'л',
  KeyL: 'д',
  KeyP: 'з',
  KeyS: 'ы',
  KeyT: 'е',
  KeyX: 'ч',
  Slash: '.',
}

let installation: Installation
let session: Awaited<ReturnType<typeof signUp>>
let conversationIds: string[]

// Keys of the list act next to an open conversation, which a phone does not show.
for (const look of looksOf('en 1280 light').filter(isWide)) {
  test.describe(look.name, () => {
    test.beforeAll(async () => {
      say = wordsOf(look.language)
      installation = await startInstallation({ hasModel: true })
      const { url, telegram, openai } = installation
      openai?.reply(() => ({ text: 'Fine.' }))
      session = await signUp(url, PERSON, 'Anna & Co')
      const agent = { name: 'Helper', model: 'openai/gpt-4.1-mini' }
      const agentId = idOf(await call(session, 'mutation', 'agents:create', agent))
      const { token } = telegram.addBot()
      await call(session, 'action', 'channels/telegram:provision', { agentId, botToken: token })
      for (const [place, firstName] of CUSTOMERS.entries()) {
        telegram.customerSays(token, { chatId: 4800 + place, firstName }, 'Hello')
        await telegram.waitForSent(4800 + place)
      }
      const list = await call(session, 'query', 'conversations:list', {
        paginationOpts: { numItems: 10, cursor: null },
      })
      conversationIds = (list as { page: { _id: string }[] }).page.map(({ _id }) => _id)
    })
    test.beforeEach(putBack)
    test.afterAll(() => installation.close())

    for (const layout of ['Latin', 'Russian'] as const) {
      test.describe(`on a ${layout} layout`, () => {
        let page: Page
        const press = (code: string, modifiers: Modifiers = {}) => pressKey(page, layout, code, modifiers)

        test.beforeAll(async ({ browser }) => {
          const context = await openContext(browser, look, { baseURL: installation.url, person: PERSON })
          page = await context.newPage()
        })
        test.afterAll(() => page.context().close())

        test('the list and the conversation next to it are operated by keys', async () => {
          await page.goto('/chats')
          await expect(row(page, 'Aida')).toBeVisible()
          await press('KeyJ')
          await expect(opened(page, 'Aida')).toBeVisible()
          await press('KeyJ', { alt: true })
          await expect(opened(page, 'Bolat')).toBeVisible()
          await press('KeyK')
          await expect(opened(page, 'Aida')).toBeVisible()
          await press('KeyJ')
          await expect(opened(page, 'Bolat')).toBeVisible()
          await press('KeyK', { alt: true })
          await expect(opened(page, 'Aida')).toBeVisible()
          await writeByKeys(page, press)

          const search = page.getByLabel(word('search.label'))
          for (const [code, modifiers] of [['KeyF', { shift: true }] as const, ['Slash', {}] as const]) {
            await press(code, modifiers)
            await expect(search).toBeFocused()
            await page.keyboard.press('Escape')
            await expect(search).not.toBeFocused()
          }
          await page.goto(`${page.url()}&status=active`)
          await expect(opened(page, 'Aida')).toBeVisible()
          expect(await listed(page, press)).toContain('clearFilters')
          await press('KeyF')
          await press('KeyC')
          await expect(page).not.toHaveURL(/status=/)
          await expect(row(page, 'Aida')).toBeVisible()

          const bar = page.getByRole('group', { name: word('bulk.label') })
          await press('KeyX')
          await expect(bar).toContainText('1')
          expect(await listed(page, press)).toContain('clearSelection')
          await press('KeyA', { ctrl: true })
          await expect(bar).toContainText(String(CUSTOMERS.length))
          await page.keyboard.press('Escape')
          await expect(bar).toBeHidden()

          expect(await listed(page, press)).toEqual(
            expected(['searchList', 'select', 'selectAll', ...OF_A_CONVERSATION, 'nextItem', 'previousItem']),
          )
          await fileByKeys(page, press, 'Bolat')
        })

        test('a conversation on a page of its own is operated by keys', async () => {
          await page.goto('/chats')
          await row(page, 'Bolat').click()
          await expect(opened(page, 'Bolat')).toBeVisible()
          const id = new URL(page.url()).searchParams.get('conversation')
          await page.goto(`/conversations/${id}`)
          await expect(opened(page, 'Bolat')).toBeVisible()
          const next = page.getByRole('link', { name: word('page.next') })
          for (const keys of [{}, { alt: true }]) {
            await expect(next).toBeVisible() // its neighbours are loaded
            await press('KeyK', keys)
            await expect(opened(page, 'Aida')).toBeVisible()
            await expect(next).toBeVisible()
            await press('KeyJ', keys)
            await expect(opened(page, 'Bolat')).toBeVisible()
          }
          await writeByKeys(page, press)
          expect(await listed(page, press)).toEqual(expected([...OF_A_CONVERSATION, 'nextItem', 'previousItem']))
          await fileByKeys(page, press, 'Cem')
        })

        test('the keys move the cursor, and typing without one begins a reply', async () => {
          await page.goto('/chats')
          await row(page, 'Cem').click()
          await expect(opened(page, 'Cem')).toBeVisible()
          const reply = page.getByLabel(word('reply.label'))
          const note = page.getByRole('textbox', { name: word('note.title') })
          await expect(reply).toBeVisible()
          await press('KeyL', { alt: true })
          await expect(reply).toBeFocused()
          await press('KeyP', { alt: true })
          await expect(note).toBeFocused()
          await press('KeyL', { alt: true })
          await expect(reply).toBeFocused()
          for (const code of ['KeyE', 'KeyA']) {
            await page.evaluate(() => (document.activeElement as HTMLElement).blur())
            await pressTogether(page, [code, 'KeyT'], layout)
            await expect(reply).toBeFocused()
            await expect(reply).toHaveValue(letters([code, 'KeyT'], layout))
            await reply.fill('')
          }
          await page.evaluate(() => (document.activeElement as HTMLElement).blur())
          await pressTogether(page, ['KeyJ', 'KeyT'], layout)
          await expect(reply).toHaveValue(letters(['KeyJ', 'KeyT'], layout))
          await expect(opened(page, 'Cem')).toBeVisible()
          await expect(filing(page)).not.toContainText(word('list.assignedTo', { name: PERSON.name }))
          await reply.fill('')
        })

        test('a press right after another row was chosen does not act on the former conversation', async () => {
          await page.goto('/chats')
          await row(page, 'Cem').click()
          await expect(opened(page, 'Cem')).toBeVisible()
          const archive = filing(page).getByRole('button', { name: word('filing.archive') })
          await expect(archive).toBeVisible()
          const other = await row(page, 'Bolat').elementHandle()
          await archive.evaluate((button, link) => {
            ;(link as HTMLElement).click()
            ;(button as HTMLElement).click()
          }, other)
          await expect(opened(page, 'Bolat')).toBeVisible()
          await expect(row(page, 'Cem')).toBeVisible()
          await archive.click()
          await expect(row(page, 'Bolat')).toBeHidden()
          await expect(row(page, 'Cem')).toBeVisible()
        })

        test('keys that navigate away do nothing to the former conversation', async () => {
          await page.goto('/chats')
          await row(page, 'Cem').click()
          await expect(opened(page, 'Cem')).toBeVisible()
          for (const [key, address] of Object.entries(PAGES)) {
            await press('KeyG')
            await press(key)
            await expect(page).toHaveURL(address)
            await page.goBack()
            await expect(opened(page, 'Cem')).toBeVisible()
          }
          await expect(filing(page)).not.toContainText(word('list.assignedTo', { name: PERSON.name }))
          const sidebar = page.getByRole('navigation', { name: say('common', 'nav.label') })
          const widthOf = async () => (await sidebar.boundingBox())?.width ?? 0
          const expanded = await widthOf()
          await press('KeyB', { ctrl: true })
          await expect.poll(widthOf).toBeLessThan(expanded / 2)
          await press('KeyB', { ctrl: true })
          await expect.poll(widthOf).toBe(expanded)
          await press('KeyK', { ctrl: true })
          await expect(page.getByRole('dialog')).toBeVisible()
          await page.keyboard.press('Escape')
          await expect(page.getByRole('dialog')).toBeHidden()
        })
      })
    }
  })
}

/** What the keys type. */
function letters(codes: string[], layout: Layout): string {
  return codes.map((code) => (layout === 'Russian' ? RUSSIAN[code] : code.replace('Key', '').toLowerCase())).join('')
}

/** Presses keys in a row, as fast as the fastest typing: the time between two calls of a test has no relation to a person's. */
async function pressTogether(page: Page, codes: string[], layout: Layout): Promise<void> {
  const keys = codes.map((code) => ({ code, key: letters([code], layout) }))
  await page.evaluate((presses) => {
    for (const { code, key } of presses) {
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true }))
      target.dispatchEvent(new KeyboardEvent('keyup', { code, key, bubbles: true, cancelable: true }))
    }
  }, keys)
}

const PAGES: Record<string, RegExp> = {
  KeyA: /\/agents$/,
  KeyK: /\/knowledge$/,
  KeyT: /\/test/,
  KeyH: /\/channels/,
  KeyY: /\/analytics$/,
  KeyI: /\/integrations$/,
  KeyD: /\/admin\//,
  KeyS: /\/settings\//,
  KeyC: /\/chats$/,
}

const EVERYWHERE = [
  ...['openPalette', 'openSheet', 'toggleSidebar'],
  ...['goAgents', 'goKnowledge', 'goTest', 'goChats', 'goChannels', 'goAnalytics'],
  ...['goIntegrations', 'goAdmin', 'goSettings'],
]
const OF_A_CONVERSATION = ['send', 'writeNote', 'writeReply', 'archive', 'assign', 'end', 'endAndNext']

function expected(names: string[]): string[] {
  return [...EVERYWHERE, ...names].sort()
}

type Press = (code: string, modifiers?: Modifiers) => Promise<void>

/** Alt+P and Alt+L edit the draft, also during typing; Mod+Enter sends it, and typed letters do nothing else. */
async function writeByKeys(page: Page, press: Press): Promise<void> {
  const [reply, note] = [page.getByLabel(word('reply.label')), page.getByRole('textbox', { name: word('note.title') })]
  await press('KeyP', { alt: true })
  await expect(note).toBeVisible()
  await note.fill('xje')
  await note.focus()
  await press('KeyL', { alt: true })
  await expect(reply).toBeVisible()
  await press('KeyP', { alt: true })
  await expect(note).toHaveValue('xje')
  await note.focus()
  await press('Enter', { ctrl: true })
  await expect(note).toHaveValue('')
  await expect(log(page).getByText('xje', { exact: true }).last()).toBeVisible()
  await note.focus()
  await press('KeyL', { alt: true })
  await expect(reply).toBeVisible()
  await page.getByRole('heading', { level: 2 }).first().click()
}

/** A assigns, E archives and restores, Alt+E ends, Mod+Alt+E ends and opens the next. */
async function fileByKeys(page: Page, press: Press, next: string): Promise<void> {
  await press('KeyA')
  await expect(filing(page)).toContainText(word('list.assignedTo', { name: PERSON.name }))
  await press('KeyE')
  await expect(filing(page)).toContainText(word('filing.archived'))
  await press('KeyE')
  await expect(filing(page)).not.toContainText(word('filing.archived'))
  await press('KeyE', { alt: true })
  await expect(page.getByText(word('reply.ended'))).toBeVisible()
  await expect.poll(statuses).toContain('ended') // shown optimistically, before the server has it
  await putBack()
  await expect(page.getByText(word('reply.ended'))).toBeHidden()
  await press('KeyE', { ctrl: true, alt: true })
  await expect(opened(page, next)).toBeVisible()
  await expect(page.getByRole('link', { name: word('page.previous') })).toBeVisible()
  await press('KeyK')
  await expect(page.getByText(word('reply.ended'))).toBeVisible()
}

async function statuses(): Promise<string[]> {
  const list = await call(session, 'query', 'conversations:list', { paginationOpts: { numItems: 10, cursor: null } })
  return (list as { page: { status: string }[] }).page.map(({ status }) => status)
}

/** Restores all conversations. */
async function putBack(): Promise<void> {
  const all = { conversationIds }
  await call(session, 'mutation', 'conversations/bulk:status', { ...all, status: 'active' })
  await call(session, 'mutation', 'conversations/bulk:place', { ...all, folder: 'inbox' })
  await call(session, 'mutation', 'conversations/bulk:assign', { ...all, assigneeId: null })
}

/** Names of the shortcuts in the currently open list. */
async function listed(page: Page, press: Press): Promise<string[]> {
  await press('Slash', { shift: true })
  const sheet = page.getByRole('dialog', { name: say('common', 'shortcuts.title') })
  await expect(sheet).toBeVisible()
  const labels = await sheet.getByRole('term').allInnerTexts()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  return labels.map(nameOf).sort()
}

const NAMES = [
  ...EVERYWHERE,
  ...OF_A_CONVERSATION,
  ...['searchList', 'clearFilters', 'select', 'selectAll', 'clearSelection', 'nextItem', 'previousItem'],
]

function nameOf(label: string): string {
  return NAMES.find((name) => say('common', `shortcuts.${name}`) === label.trim()) ?? `unknown: ${label}`
}

/** A key by its position. A Latin one is pressed; the Russian character of a key is dispatched to the page as a keyboard event. */
async function pressKey(page: Page, layout: Layout, code: string, { ctrl, alt, shift }: Modifiers): Promise<void> {
  const key = layout === 'Russian' ? RUSSIAN[code] : undefined
  if (key === undefined) {
    const held = [ctrl && 'Control', alt && 'Alt', shift && 'Shift'].filter(Boolean)
    return page.keyboard.press([...held, code].join('+'))
  }
  await page.evaluate(
    ({ isShift, ...init }) => {
      const event = { ...init, shiftKey: isShift, bubbles: true, cancelable: true }
      const target = document.activeElement ?? document.body
      target.dispatchEvent(new KeyboardEvent('keydown', event))
      target.dispatchEvent(new KeyboardEvent('keyup', event))
    },
    { code, key, ctrlKey: ctrl ?? false, altKey: alt ?? false, isShift: shift ?? false },
  )
}

function row(page: Page, name: string): Locator {
  return page.getByRole('link', { name: new RegExp(name) })
}

function opened(page: Page, name: string): Locator {
  return page.getByRole('heading', { name, level: 2 })
}

function log(page: Page): Locator {
  return page.getByRole('region', { name: word('page.messages') })
}

function filing(page: Page): Locator {
  return page.getByRole('group', { name: word('filing.label') })
}
