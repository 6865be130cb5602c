// Every state of the inbox and of a conversation, and the dialogs over them, against WCAG 2.2 AA: both languages, each with its own
// palette, wide and narrow, in both themes.
import type { Browser, Locator, Page } from '@playwright/test'
import { type Credentials, call } from '#tests/seeds/installation.ts'
import { expect, type Language, test, wordsOf } from './fixtures.ts'
import { ANNA, ANSWER, BORIS, type InboxStates, QUESTION, startInboxStates, VERA } from './inbox-states.seed.ts'
import { judgeLooks, NARROW, signInHere, WIDE } from './looks.ts'

const DIALOG = '[role=dialog], [role=alertdialog]'
// Text and colours are independent, so each palette is judged in one language only.
const PALETTES = { ru: 'doc-basic', en: 'default' } as const

/** Some sixty states, with EVERY_LOOK=1 each judged four times: a busy machine takes three times as long as an idle one. */
test.describe.configure({ timeout: 480_000 })

let inbox: InboxStates

test.beforeAll(async () => {
  inbox = await startInboxStates()
})
test.afterAll(async () => {
  await inbox?.close()
})

for (const language of ['ru', 'en'] as const) {
  test(`every state of the inbox and of a conversation is accessible: ${language}`, async ({ browser }) => {
    const unused = await openPage(browser, language, VERA)
    await new States(unused, language).nothing()
    await unused.context().close()
    const page = await openPage(browser, language, ANNA)
    const states = new States(page, language)
    await states.list()
    await states.chosen()
    await states.overTheList()
    await states.conversation()
    await states.nextToList()
    await states.writing()
    await states.overTheConversation()
    await states.otherConversations()
    await states.away()
    await page.context().close()
    expect(test.info().errors).toEqual([])
  })
}

/** Opens one state after the other and judges it. Each method begins with a page of its own. */
class States {
  private readonly page: Page
  private readonly language: Language
  private readonly say: ReturnType<typeof wordsOf>
  constructor(page: Page, language: Language) {
    this.page = page
    this.language = language
    this.say = wordsOf(language)
  }

  /** An inbox without any conversation, and one in which everything is done. */
  async nothing() {
    await inbox.setArchived(false)
    await this.go('/chats', this.page.getByText(this.word('list.emptyTitle')))
    await this.judge('no conversations yet')
    await inbox.setArchived(true)
    await this.go('/chats', this.page.getByText(this.word('list.doneTitle')))
    await this.judge('nothing left to do')
  }

  async list() {
    const { page, word } = this
    const mention = { conversationId: inbox.talk, text: '@Anna he waits', mentions: [inbox.annaId] }
    await call(inbox.boris, 'mutation', 'conversations/notes:add', mention)
    await this.go('/chats', this.row('Bolat'))
    await this.judge('the list')
    await page.getByRole('button', { name: this.numbered('note.mentioned_other') }).click()
    await this.judgeMenu('mentions')
    await this.go('/chats?tag=nothing+has+it', page.getByText(word('list.nothingMatches')))
    await this.judge('nothing matches')
    await this.go('/chats?folder=archived&status=paused&unread=true', page.getByText(word('list.nothingMatches')))
    await this.judge('filters as chips')
    await this.go('/chats?q=goods', page.locator('mark').first())
    await this.judge('what was found')
    await this.go('/chats?q=abracadabra', page.getByText(word('search.nothing')))
    await this.judge('nothing found')
  }

  async chosen() {
    const { page, word } = this
    await this.go('/chats', this.row('Bolat'))
    await page.getByRole('checkbox').first().check()
    const bar = page.getByRole('group', { name: word('bulk.label') })
    await expect(bar).toBeVisible()
    await this.judge('one is chosen')
    await page.getByRole('checkbox').nth(1).check()
    await this.press('thread.merge', bar)
    await expect(page.getByText(this.say('conversations', 'thread.twoContacts').slice(-20))).toBeVisible()
    await this.judgeDialog('merge two')
    await page.keyboard.press('Control+a')
    await expect(page.getByRole('button', { name: /5\d/ }).last()).toBeVisible()
    await this.judge('all that is loaded is chosen')
    await page.keyboard.press('Control+a')
    await expect(page.getByText(this.numbered('bulk.allChosen'))).toBeVisible()
    await this.judge('all of the list is chosen')
    await this.press('filing.status', bar)
    await this.judgeMenu('status of many')
    await this.press('filing.assign', bar)
    await this.judgeMenu('assignee of many')
    await this.press('filing.tags', bar)
    await page.getByLabel(word('filing.newTag')).fill('one more')
    await this.judge('tags of many', DIALOG)
    await page.keyboard.press('Enter')
    const outcome = page
      .getByRole('dialog')
      .filter({ hasText: this.say('errors', 'too_many_tags', { max: 20 }).slice(0, 20) })
    await expect(outcome).toBeVisible()
    await this.judge('what has failed of many, and what can be taken back')
    await page.keyboard.press('Escape')
  }

  async overTheList() {
    const { page, word } = this
    await this.go('/chats', this.row('Bolat'))
    await this.press('list.moreFilters')
    await this.judge('more filters', DIALOG)
    await page.keyboard.press('Escape')
    for (const size of [WIDE, NARROW]) {
      await page.setViewportSize(size) // closes the list
      await page.getByRole('combobox').first().click()
      await judgeLooks(page, 'states', { language: this.language, within: '[role=listbox]', widths: [size] })
      await page.keyboard.press('Escape')
    }
    await page.setViewportSize(WIDE)
    await page.getByRole('button', { name: this.say('exports', 'many') }).click()
    await this.judgeDialog('export')
    await this.go('/chats', this.row('Bolat'))
    const desk = new RegExp(`\\d|${this.say('conversations', 'desk.noneFree')}`)
    await page.locator('button[aria-haspopup=dialog]').filter({ hasText: desk }).first().click()
    await this.judge('who takes conversations', DIALOG)
    await this.go('/chats?status=ended', this.row('Customer 7'))
    await this.press('views.save')
    await this.judgeDialog('save a view')
    await this.go('/chats?status=paused', page.getByRole('link', { name: /^Paused/ }))
    await page.getByRole('button', { name: word('views.actions', { name: 'Paused' }) }).click()
    await this.judgeMenu('actions with a view')
  }

  async conversation() {
    const { page, word } = this
    await this.open(inbox.talk, page.getByText(ANSWER).first())
    await expect(page.getByText(word('delivery.failed'))).toBeVisible()
    await expect(page.getByText('he comes back tomorrow')).toBeVisible()
    await expect(page.getByText(word('rating.score', { score: 4 }))).toBeVisible()
    await this.judge('undelivered, a note, a rating, a pause')
    await page
      .getByRole('button', { name: new RegExp(word('delivery.failed')) })
      .first()
      .click()
    await this.judge('why it did not arrive')
    await page.keyboard.press('Escape')
    await this.messageItem(QUESTION)
      .getByRole('button', { name: /EN|RU|англ|рус|English|Russian/ })
      .click()
    await expect(page.getByText(ANSWER)).toHaveCount(3)
    await this.judge('a translation')
    await page.locator('button[aria-haspopup=dialog]:has(img)').click()
    await this.judgeDialog('a picture')
    await page
      .getByRole('button', { name: this.say('why', 'open') })
      .first()
      .click()
    await this.judgeDialog('why it answered')
    await this.messageItem(QUESTION)
      .getByRole('button', { name: this.say('why', 'ofMessage') })
      .focus()
    await page.keyboard.press('Enter')
    await this.judgeDialog('why of a message')
  }

  /** The conversation next to the list, on wide screens. */
  async nextToList() {
    const { page } = this
    await this.go(`/chats?conversation=${inbox.talk}`, page.getByText(ANSWER).first())
    await judgeLooks(page, 'a conversation next to the list', { language: this.language, widths: [WIDE] })
  }

  async writing() {
    const { page, word } = this
    await this.open(inbox.talk, page.getByText(ANSWER).first())
    const box = page.getByLabel(word('reply.label'))
    await box.fill('/')
    await expect(page.getByRole('listbox')).toBeVisible()
    await this.judge('canned replies')
    await box.fill('I come')
    const typing = () =>
      call(inbox.boris, 'mutation', 'conversations/presence:announce', { conversationId: inbox.talk, state: 'typing' })
    await typing()
    await expect(page.getByText(word('colleagues.typing', { names: BORIS.name }))).toBeVisible()
    await this.judge('a colleague is writing', undefined, typing)
    await this.open(inbox.talk, page.getByText(ANSWER).first())
    await expect(page.getByLabel(word('reply.label'))).toHaveValue('I come')
    await this.judge('a draft that was kept')
    await page.getByLabel(word('reply.label')).fill('')
    await this.press('helper.title')
    await this.judgeMenu('the helper')
    await this.press('helper.title')
    await page.getByRole('menuitem', { name: word('helper.summarize') }).click()
    await expect(page.getByRole('paragraph').filter({ hasText: word('helper.summary') })).toBeVisible()
    await this.judge('a summary')
    await page.keyboard.press('Alt+p')
    await page.getByLabel(word('note.title')).fill('@')
    await expect(page.getByRole('listbox')).toBeVisible()
    await this.judge('colleagues to mention')
    await page.getByLabel(word('note.title')).fill('')
  }

  async overTheConversation() {
    const { page, word } = this
    await this.open('conversation-8', page.getByText('When do you open?').first())
    await this.press('pause.action')
    await this.judgeDialog('pause')
    await this.press('page.actions')
    await this.judgeMenu('actions')
    for (const key of ['end.action', 'thread.with']) {
      await this.press('page.actions')
      await page.getByRole('menuitem', { name: word(key) }).click()
      await this.judgeDialog(key)
    }
    await this.press('filing.tags')
    await this.judge('tags', DIALOG)
    await page.keyboard.press('Escape')
    await this.press('filing.assign')
    await this.judgeMenu('assignee')
    await this.press('details.title')
    await this.press('contact.addAttribute')
    await this.judgeOpen('customer and metrics', 1)
    await this.press('samePerson.merge')
    await this.judgeOpen('merge contacts', 2)
    await page.keyboard.press('Escape')
    await this.press('contactData.erase')
    await this.judgeOpen('erase a customer', 2)
    await page.keyboard.press('Escape')
    await this.press('legalHold.set')
    await page.getByRole('textbox', { name: word('legalHold.reason') }).fill('Claim 17')
    await this.judgeOpen('order a legal hold', 2)
    await this.press('legalHold.confirm')
    await expect(page.getByRole('paragraph').filter({ hasText: 'Claim 17' })).toBeVisible()
    await this.judgeOpen('a customer on legal hold', 1)
    await this.press('legalHold.lift')
    await this.judgeOpen('lift a legal hold', 2)
    await page
      .getByRole('alertdialog')
      .getByRole('button', { name: word('legalHold.lift') })
      .click()
    await expect(page.getByRole('alertdialog')).toBeHidden()
    await expect(page.getByRole('button', { name: word('legalHold.set') })).toBeVisible()
    await expect(page.getByRole('listitem').filter({ hasText: 'Claim 17' }).first()).toBeVisible() // the hold stays in the log
    await this.judgeOpen('a legal hold that was lifted', 1)
  }

  async otherConversations() {
    const { page, word } = this
    await this.open(inbox.merged, page.getByRole('button', { name: word('thread.separate') }))
    await this.judge('shown as one')
    await this.press('thread.separate')
    await this.judgeDialog('separate')
    await this.open(inbox.deleted, page.getByRole('button', { name: word('filing.putBack') }).first())
    await this.judge('deleted')
    await this.open(inbox.closed, page.getByText(word('template.closed')))
    await this.judge('only a template goes through')
    await this.press('template.choose')
    await expect(page.getByRole('dialog').getByLabel(word('template.place', { key: '1' }))).toBeVisible()
    await this.judgeDialog('a template')
    await this.open('conversation-9', page.getByText('When do you open?').first())
    await this.press('filing.archive')
    await expect(page.getByRole('button', { name: word('bulk.undo') })).toBeVisible()
    await page.getByRole('button', { name: word('bulk.undo') }).hover() // keeps it open
    await this.judge('what can be taken back')
    await page
      .getByRole('button', { name: word('bulk.undo') })
      .first()
      .click()
    await this.go('/conversations/no-such-conversation', page.getByText(this.say('common', 'boundary.data.title')))
    await this.judge('no such conversation')
  }

  /** The server is away. */
  async away() {
    const { page } = this
    let isAway = false
    const drops = new Set<() => void>()
    await page.routeWebSocket(/\/api\//, (client) => {
      if (isAway) return void client.close({ code: 1001 })
      const server = client.connectToServer()
      drops.add(() => {
        void client.close({ code: 1001 })
        void server.close({ code: 1001 })
      })
    })
    await page.route('**/readyz', (route) => (isAway ? route.abort() : route.continue()))
    await this.open(inbox.talk, page.getByText(ANSWER).first())
    isAway = true
    for (const drop of drops) drop()
    await expect(page.getByText(this.say('common', 'offline.title'))).toBeVisible()
    await this.judge('no connection')
  }

  private readonly word = (key: string, values: Record<string, string | number> = {}) =>
    this.say('conversations', key, values)

  /** Matches the text up to a number, and any number. */
  private readonly numbered = (key: string) => {
    const [before = ''] = this.word(key, { number: '#', count: '#' }).split('#')
    return new RegExp(`${before}\\d+`)
  }

  private row(name: string): Locator {
    return this.page.getByRole('link', { name: new RegExp(name) }).first()
  }

  private messageItem(text: string): Locator {
    return this.page
      .getByRole('listitem')
      .filter({ has: this.page.getByText(text, { exact: true }) })
      .last()
  }

  private async go(route: string, until: Locator) {
    await this.page.setViewportSize(WIDE)
    await this.page.goto(route)
    await expect(until).toBeVisible()
  }

  private async open(conversationId: string, until: Locator) {
    await this.go(`/conversations/${conversationId}`, until)
  }

  private async press(key: string, within: Locator | Page = this.page) {
    await within
      .getByRole('button', { name: this.word(key), exact: true })
      .first()
      .click()
  }

  /** @param during called between the widths, to keep transient elements visible */
  private async judge(name: string, within?: string, during?: () => Promise<unknown>) {
    await judgeLooks(this.page, name, { language: this.language, within, during })
  }

  private async judgeDialog(name: string) {
    await this.judgeOpen(name, 1)
    await this.page.keyboard.press('Escape')
    await expect(this.page.locator(DIALOG)).toHaveCount(0)
  }

  /** Number of open dialogs, one over the other. */
  private async judgeOpen(name: string, count: number) {
    await expect(this.page.locator(DIALOG)).toHaveCount(count)
    await this.judge(name, DIALOG)
  }

  /** Only the menu: the component library hides everything below it from assistive technology. */
  private async judgeMenu(name: string) {
    const menu = this.page.getByRole('menu')
    await expect(menu).toBeVisible()
    await this.judge(name, '[role=menu]')
    await this.page.keyboard.press('Escape')
    await expect(menu).toBeHidden()
  }
}

async function openPage(browser: Browser, language: Language, person: Credentials): Promise<Page> {
  const context = await browser.newContext({ baseURL: inbox.url, viewport: WIDE, reducedMotion: 'reduce' })
  await context.addInitScript(
    (chosen) => {
      localStorage.setItem('parley-language', chosen.language)
      localStorage.setItem('parley-theme', 'light')
      localStorage.setItem('parley-theme-palette', chosen.palette)
    },
    { language, palette: PALETTES[language] },
  )
  context.setDefaultTimeout(15_000)
  await signInHere(context, inbox.url, person)
  return context.newPage()
}
